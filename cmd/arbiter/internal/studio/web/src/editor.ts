// The editor of one file, and its language server.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics, type Action, type Diagnostic } from "@codemirror/lint";
import {
  findReferencesKeymap,
  formatKeymap,
  hoverTooltips,
  jumpToDefinition,
  jumpToDefinitionKeymap,
  LSPClient,
  LSPPlugin,
  renameKeymap,
  serverCompletion,
  Workspace,
  type WorkspaceFile,
} from "@codemirror/lsp-client";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, Prec, type ChangeSet, type Extension, type Text, type TransactionSpec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  type KeyBinding,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { signal } from "@preact/signals";
import { openChannel } from "./channel";
import { checks, docs, hello, open, placeOf, save, type Doc } from "./documents";
import { hangingIndent } from "./indent";
import { arbiter } from "./language";
import { isInside } from "./program";
import { sanitize } from "./sanitize";
import { fetchTokens, tokens } from "./tokens";

// --- the language server -----------------------------------------------------------------------------------

/** OpenFile is a file that the language server knows. */
class OpenFile implements WorkspaceFile {
  version = 0;
  constructor(
    readonly uri: string,
    readonly languageId: string,
    public doc: Text,
    readonly view: EditorView,
  ) {}
  getView() {
    return this.view;
  }
}

/** Files are the open files; one that the server names is opened. */
class Files extends Workspace {
  files: OpenFile[] = [];

  syncFiles() {
    const result: { file: OpenFile; prevDoc: Text; changes: ChangeSet }[] = [];
    for (const file of this.files) {
      const plugin = LSPPlugin.get(file.view);
      if (!plugin || plugin.unsyncedChanges.empty) continue;
      result.push({ file, prevDoc: file.doc, changes: plugin.unsyncedChanges });
      file.doc = file.view.state.doc;
      file.version++;
      plugin.clear();
    }
    return result;
  }

  openFile(uri: string, languageId: string, view: EditorView) {
    const file = new OpenFile(uri, languageId, view.state.doc, view);
    this.files.push(file);
    this.client.didOpen(file);
  }

  closeFile(uri: string) {
    this.files = this.files.filter((f) => f.uri !== uri);
    this.client.didClose(uri);
  }

  override async displayFile(uri: string) {
    const place = placeOf(uri);
    return place ? ((await open(place.path, place.library))?.view ?? null) : null;
  }

  override async requestFile(uri: string) {
    const place = placeOf(uri);
    if (place) await open(place.path, place.library, true);
    return this.getFile(uri);
  }

  override async updateFile(uri: string, update: TransactionSpec) {
    (await this.requestFile(uri))?.getView()?.dispatch(update);
  }
}

interface LSPDiagnostic {
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  severity?: number;
  code?: string;
  message: string;
  data?: { fixes: Fix[] };
}

/** Fix is what mends a mistake; the server sends it along. */
interface Fix {
  title: string;
  edits: { range: LSPDiagnostic["range"]; newText: string }[];
}

/** Client says nothing about a text while the server cannot be reached: the page is an editor before it is more. */
class Client extends LSPClient {
  override request<Params, Result>(method: string, params: Params): Promise<Result> {
    const isIdle = method === "textDocument/completion" || method === "textDocument/hover";
    return isIdle && !this.connected ? Promise.resolve(null as Result) : super.request(method, params);
  }
}

const client = new Client({
  timeout: isInside ? 60_000 : 15_000, // a browser computes more slowly
  workspace: (c) => new Files(c),
  sanitizeHTML: sanitize,
  highlightLanguage: (name) => (name === "arbiter" ? arbiter : null),
  extensions: [
    serverCompletion(),
    hoverTooltips({ hoverTime: 350 }),
    { clientCapabilities: { textDocument: { publishDiagnostics: { versionSupport: true, dataSupport: true } } } },
    keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]),
  ],
  notificationHandlers: {
    "textDocument/publishDiagnostics": (_, p: { uri: string; version?: number; diagnostics: LSPDiagnostic[] }) => {
      showDiagnostics(p.uri, p.version, p.diagnostics);
      return true;
    },
  },
});

/** connectEditor connects to the language server, and again when it was lost. */
export function connectEditor(): void {
  let handlers: ((text: string) => void)[] = [];
  const channel = openChannel("lsp", {
    opened() {
      handlers = [];
      client.connect({
        send: (text) => channel.send(text),
        subscribe: (h) => void handlers.push(h),
        unsubscribe: (h) => void (handlers = handlers.filter((x) => x !== h)),
      });
    },
    received(text) {
      for (const h of handlers) h(text);
    },
    lost: () => client.disconnect(),
  });
}

/** request asks the language server about the open texts. */
export function request<A>(method: string, params: object): Promise<A> {
  client.sync();
  return client.request<object, A>(method, params);
}

/** showDiagnostics shows the mistakes of a file, with what would mend them, and fetches its colours. */
function showDiagnostics(uri: string, version: number | undefined, list: LSPDiagnostic[]): void {
  const file = client.workspace.getFile(uri) as OpenFile | null;
  const doc = docs.peek().find((d) => d.uri === uri);
  const plugin = file && LSPPlugin.get(file.view);
  if (!file || !plugin || !doc || (version !== undefined && version !== file.version)) return;
  const view = file.view;
  const at = (p: LSPDiagnostic["range"]["start"]) =>
    plugin.unsyncedChanges.mapPos(Math.min(plugin.fromPosition(p, plugin.syncedDoc), plugin.syncedDoc.length));
  const shown = list.map((x): Diagnostic => {
    const from = at(x.range.start);
    const fixes = (x.data?.fixes ?? []).map((f) => fixOf(f.title, f.edits.map((e) => ({ from: at(e.range.start) - from, to: at(e.range.end) - from, insert: e.newText }))));
    return {
      from,
      to: Math.max(from, at(x.range.end)),
      severity: x.severity === 1 ? "error" : "warning",
      message: x.message,
      source: x.code ?? "",
      actions: fixes,
    };
  });
  view.dispatch(setDiagnostics(view.state, shown));
  doc.errors.value = list.filter((x) => x.severity === 1).length;
  doc.warnings.value = list.length - doc.errors.value;
  doc.checked.value = plugin.unsyncedChanges.empty;
  if (doc.errors.value === 0) checks.value++;
  void fetchTokens(client, uri, view).catch(() => undefined); // the next check asks again
}

/** fixOf makes a button of a fix, whose changes are told from the start of the mistake: what stands before it may change. */
function fixOf(name: string, changes: { from: number; to: number; insert: string }[]): Action {
  return {
    name,
    apply(view, from) {
      view.dispatch({ changes: changes.map((c) => ({ from: from + c.from, to: from + c.to, insert: c.insert })), userEvent: "input.fix" });
    },
  };
}

/** applyFix mends the mistake at the cursor, or the first after it. */
function applyFix(view: EditorView): boolean {
  const at = view.state.selection.main.head;
  let first: { d: Diagnostic; from: number; to: number } | null = null;
  forEachDiagnostic(view.state, (d, from, to) => {
    if (d.actions?.length && to >= at && (!first || from < first.from)) first = { d, from, to };
  });
  if (!first) return false;
  const { d, from, to } = first as { d: Diagnostic; from: number; to: number };
  d.actions?.[0]?.apply(view, from, to);
  return true;
}

// --- one file ----------------------------------------------------------------------------------------------

const scripts = [".rules", ".encounter", ".adventure", ".tests"];

/** isScript says that the language server checks a file. */
export const isScript = (path: string) => scripts.includes(path.slice(path.lastIndexOf(".")));

/** nonce lets the editor write its styles into the page. */
const nonce = document.querySelector<HTMLMetaElement>("meta[name=style-nonce]")?.content ?? "";

const looks = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--ground)", color: "var(--text)", fontSize: "13px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--accent)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--accent)" },
  ".cm-gutters": { backgroundColor: "var(--ground)", color: "var(--quiet)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active-line)" },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--line)", borderRadius: "6px", boxShadow: "var(--shadow)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--text)", borderColor: "var(--line)" },
  ".cm-lsp-documentation": { maxWidth: "38rem", maxHeight: "22rem", overflow: "auto", padding: "6px 10px", font: "13px/1.45 var(--sans)" },
  ".cm-lsp-documentation pre": { font: "12px/1.45 var(--mono)", margin: "6px 0", whiteSpace: "pre-wrap" },
});

/** pointed is the command of an encounter under the pointer, or at the cursor, with the text that comes before it. */
export const pointed = signal<{ path: string; command: string; before: string } | null>(null);

const commandLine = /^[A-Z][\w-]*: [^#]*[^#\s]/;

function point(doc: Doc, view: EditorView, pos: number): void {
  if (!doc.path.endsWith(".encounter")) return;
  const line = view.state.doc.lineAt(pos);
  const command = commandLine.exec(line.text)?.[0];
  if (command && command !== pointed.peek()?.command) pointed.value = { path: doc.path, command, before: view.state.doc.sliceString(0, line.from) };
}

/** pointRests points at where the pointer rests for a moment. */
function pointRests(doc: Doc): Extension {
  let due: ReturnType<typeof setTimeout> | undefined;
  return EditorView.domEventHandlers({
    mousemove(e, view) {
      clearTimeout(due);
      due = setTimeout(() => {
        const pos = view.posAtCoords({ x: e.clientX, y: e.clientY });
        if (pos !== null) point(doc, view, pos);
      }, 350);
    },
    mouseleave: () => clearTimeout(due),
  });
}

let telling: ReturnType<typeof setTimeout> | undefined;

/** tellSoon tells the language server what has been typed: keys that come together together. */
function tellSoon(): void {
  clearTimeout(telling);
  telling = setTimeout(() => client.sync(), 5);
}

/** createView makes the editor of a file. */
export function createView(doc: Doc, text: string, changed: () => void): EditorView {
  const keys: KeyBinding[] = [
    { key: "Mod-s", preventDefault: true, run: () => (void save(doc), true) },
    { key: "Mod-.", preventDefault: true, run: applyFix },
  ];
  const extensions: Extension[] = [
    EditorView.cspNonce.of(nonce),
    looks,
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    history(),
    drawSelection(),
    EditorView.lineWrapping,
    hangingIndent,
    bracketMatching(),
    closeBrackets(),
    autocompletion(),
    highlightSelectionMatches(),
    search({ top: true }),
    syntaxHighlighting(classHighlighter),
    EditorState.readOnly.of(doc.library),
    EditorView.contentAttributes.of({ "aria-label": `Text of ${doc.path}`, spellcheck: "false", tabindex: "0" }),
    EditorView.updateListener.of((u) => {
      if (u.docChanged) {
        changed();
        tellSoon();
      }
      if (u.selectionSet && u.view.hasFocus) point(doc, u.view, u.state.selection.main.head);
    }),
    keymap.of([...keys, ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
  ];
  if (isScript(doc.path)) extensions.push(arbiter, Prec.highest(tokens), lintGutter(), client.plugin(doc.uri, "arbiter"), pointRests(doc), EditorView.domEventHandlers({ mousedown: clickThrough }));
  return new EditorView({ state: EditorState.create({ doc: text, extensions }) });
}

/** clickThrough goes to the definition of a name that is clicked with the key for links. */
function clickThrough(e: MouseEvent, view: EditorView): boolean {
  if (!(e.ctrlKey || e.metaKey) || e.button !== 0) return false;
  const at = view.posAtCoords({ x: e.clientX, y: e.clientY });
  if (at === null) return false;
  view.dispatch({ selection: { anchor: at } });
  return jumpToDefinition(view);
}

/** showText replaces the text of a view where it differs, so that the cursor stays. */
export function showText(view: EditorView, text: string): void {
  const old = view.state.doc.toString();
  let from = 0;
  while (from < old.length && from < text.length && old[from] === text[from]) from++;
  let end = 0;
  while (end < old.length - from && end < text.length - from && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
  view.dispatch({ changes: { from, to: old.length - end, insert: text.slice(from, text.length - end) } });
}

/** goTo shows a line of a file, and puts the cursor there. */
export async function goTo(path: string, line: number, column = 1, library = false): Promise<void> {
  const doc = await open(path, library);
  if (!doc) return;
  const at = doc.view.state.doc.line(Math.max(1, Math.min(line, doc.view.state.doc.lines)));
  const pos = Math.min(at.from + column - 1, at.to);
  doc.view.dispatch({ selection: { anchor: pos }, effects: EditorView.scrollIntoView(pos, { y: "center" }) });
  doc.view.focus();
}

/** goToPlace shows a place as documents name it: rules/classic/attack.rules:40. */
export function goToPlace(place: string): void {
  const m = /^(.*?):(\d+)(?::(\d+))?$/.exec(place);
  if (!m) return;
  const [, file = "", line = "1", column = "1"] = m;
  const root = hello.peek()?.uri.replace(/^file:\/\//, "") ?? "";
  const own = decodeURIComponent(root) + "/";
  const path = file.startsWith(own) ? file.slice(own.length) : file;
  const isLibrary = path.startsWith("rules/") && !docs.peek().some((d) => d.path === path && !d.library);
  void goTo(isLibrary ? path.slice("rules/".length) : path, Number(line), Number(column), isLibrary);
}
