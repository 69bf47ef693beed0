// Lines that are broken go on below their beginning, further in than the clause.
import { RangeSetBuilder } from "@codemirror/state";
import { Decoration, ViewPlugin, type DecorationSet, type EditorView } from "@codemirror/view";

const deepest = 12;
const marks = new Map<number, Decoration>();

function markOf(depth: number): Decoration {
  let mark = marks.get(depth);
  if (!mark) marks.set(depth, (mark = Decoration.line({ class: `indent-${depth}` })));
  return mark;
}

function indents(view: EditorView): DecorationSet {
  const set = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges)
    for (let pos = from; pos <= to; ) {
      const line = view.state.doc.lineAt(pos);
      const depth = line.text.length - line.text.trimStart().length + 2;
      set.add(line.from, line.from, markOf(Math.min(deepest, depth + (depth % 2))));
      pos = line.to + 1;
    }
  return set.finish();
}

/** hangingIndent breaks lines so. */
export const hangingIndent = ViewPlugin.define(
  (view) => ({
    set: indents(view),
    update(u) {
      if (u.docChanged || u.viewportChanged) this.set = indents(u.view);
    },
  }),
  { decorations: (p) => p.set },
);
