// The colours of names by what they mean, as the language server says.
import { RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, type DecorationSet } from "@codemirror/view";
import type { LSPClient } from "@codemirror/lsp-client";

const setTokens = StateEffect.define<DecorationSet>();

/** tokens shows the colours that fetchTokens has got. */
export const tokens = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, tr) {
    set = set.map(tr.changes);
    for (const e of tr.effects) if (e.is(setTokens)) set = e.value;
    return set;
  },
  provide: (f) => EditorView.decorations.from(f),
});

/** fetchTokens asks for the colours of a file; an answer that comes after a change is dropped, as another will follow. */
export async function fetchTokens(client: LSPClient, uri: string, view: EditorView): Promise<void> {
  const types = client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes;
  if (!types) return;
  const doc = view.state.doc;
  const answer = await client.request<object, { data: number[] } | null>("textDocument/semanticTokens/full", { textDocument: { uri } });
  if (!answer || view.state.doc !== doc) return;
  const set = new RangeSetBuilder<Decoration>();
  let line = 0;
  let character = 0;
  for (let i = 0; i + 4 < answer.data.length; i += 5) {
    const [down = 0, along = 0, length = 0, type = 0] = answer.data.slice(i, i + 4);
    character = down ? along : character + along;
    line += down;
    if (line >= doc.lines) break;
    const at = doc.line(line + 1);
    const from = Math.min(at.from + character, at.to);
    set.add(from, Math.min(from + length, at.to), Decoration.mark({ class: `tok-${types[type]}` }));
  }
  view.dispatch({ effects: setTokens.of(set.finish()) });
}
