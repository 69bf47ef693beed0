// The open files: their texts, what is unsaved, and what the disk has meanwhile.
import { batch, computed, signal, type Signal } from "@preact/signals";
import type { Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { ask, Refusal, whenChanged, whenFiles, whenOpened } from "./desk";
import { createView, isScript, showText } from "./editor";
import type { Hello } from "./messages";
import { complain } from "./notices";

/** Doc is an open file. */
export interface Doc {
  path: string;
  library: boolean; // it is one of the built-in rulesets, and cannot be changed
  uri: string;
  view: EditorView;
  saved: Text; // what the disk had when it was opened or saved
  sum: string;
  unsaved: Signal<boolean>;
  disk: Signal<{ text: string; sum: string } | null>; // what the disk has, if that was changed by somebody else
  errors: Signal<number>;
  warnings: Signal<number>;
  checked: Signal<boolean>; // the language server has looked at this text
}

/** hello is what the program said of itself; null until it was reached. */
export const hello = signal<Hello | null>(null);
export const files = signal<string[]>([]);
export const moreFiles = signal(false);
export const docs = signal<Doc[]>([]);
export const active = signal<Doc | null>(null);

/** edits counts the changes of all texts, for what follows them. */
export const edits = signal(0);

/** checked counts the checks by the language server that found what they looked at without errors. */
export const checks = signal(0);

export const unsavedDocs = computed(() => docs.value.filter((d) => d.unsaved.value));

/** unsavedTexts are the texts that count instead of what the disk has. */
export function unsavedTexts(): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const d of unsavedDocs.peek()) texts[d.path] = d.view.state.doc.toString();
  return texts;
}

const encodePath = (path: string) => path.split("/").map(encodeURIComponent).join("/");

function uriOf(path: string, library: boolean): string {
  const h = hello.peek();
  return `${library ? h?.library : h?.uri}/${encodePath(path)}`;
}

/** placeOf is the file that a URI of the language server names. */
export function placeOf(uri: string): { path: string; library: boolean } | null {
  const h = hello.peek();
  if (!h) return null;
  const plain = decodeURIComponent(uri);
  for (const library of [false, true]) {
    const base = decodeURIComponent(library ? h.library : h.uri) + "/";
    if (base !== "/" && plain.startsWith(base)) return { path: plain.slice(base.length), library };
  }
  return null;
}

const find = (path: string, library: boolean) => docs.peek().find((d) => d.path === path && d.library === library);

/** open shows a file, and returns it. */
export async function open(path: string, library = false, background = false): Promise<Doc | null> {
  let doc = find(path, library);
  if (!doc) {
    let file;
    try {
      file = await ask("open", { path, library });
    } catch (e) {
      complain(e);
      return null;
    }
    doc = find(path, library); // it may have been opened meanwhile
    if (!doc) doc = add(path, library, file.text, file.sum);
  }
  if (!background) active.value = doc;
  remember();
  return doc;
}

function add(path: string, library: boolean, text: string, sum: string, draft = text): Doc {
  const doc: Doc = {
    path,
    library,
    uri: uriOf(path, library),
    view: null as never,
    saved: null as never,
    sum,
    unsaved: signal(false),
    disk: signal(null),
    errors: signal(0),
    warnings: signal(0),
    checked: signal(!isScript(path)),
  };
  doc.view = createView(doc, text, () => changed(doc));
  doc.saved = doc.view.state.doc;
  docs.value = [...docs.peek(), doc];
  if (draft !== text) showText(doc.view, draft);
  return doc;
}

/** create makes a new file that is not on the disk yet. */
export function create(path: string, text: string): void {
  const doc = find(path, false) ?? add(path, false, "", "", text);
  active.value = doc;
  remember();
}

function changed(doc: Doc): void {
  batch(() => {
    doc.unsaved.value = doc.sum === "" || !doc.view.state.doc.eq(doc.saved);
    doc.checked.value = !isScript(doc.path);
    edits.value++;
  });
  remember();
}

/** close closes a file; what is unsaved in it is lost, so that the caller has to ask first. */
export function close(doc: Doc): void {
  const list = docs.peek();
  const i = list.indexOf(doc);
  batch(() => {
    docs.value = list.filter((d) => d !== doc);
    if (active.peek() === doc) active.value = docs.value[Math.min(i, docs.value.length - 1)] ?? null;
    edits.value++;
  });
  doc.view.destroy();
  remember();
}

/** save writes a file, unless somebody else has changed it: then both versions are shown. */
export async function save(doc: Doc, over = false): Promise<boolean> {
  if (doc.library || (!doc.unsaved.peek() && !over)) return true;
  const text = doc.view.state.doc;
  try {
    const answer = await ask("save", { path: doc.path, text: text.toString(), sum: over ? (doc.disk.peek()?.sum ?? doc.sum) : doc.sum });
    batch(() => {
      doc.saved = text;
      doc.sum = answer.sum;
      doc.disk.value = null;
      doc.unsaved.value = !doc.view.state.doc.eq(text);
      edits.value++;
    });
    remember();
    return true;
  } catch (e) {
    const theirs = e instanceof Refusal ? e.changed : null;
    if (theirs) doc.disk.value = theirs;
    else complain(e);
    return false;
  }
}

/** saveAll saves everything that is unsaved, and reports whether all of it could be. */
export async function saveAll(): Promise<boolean> {
  for (const d of unsavedDocs.peek()) if (!(await save(d))) return false;
  return true;
}

/** takeDisk replaces a text by what the disk has. */
export function takeDisk(doc: Doc): void {
  const theirs = doc.disk.peek();
  if (!theirs) return;
  batch(() => {
    doc.sum = theirs.sum;
    doc.disk.value = null;
    showText(doc.view, theirs.text);
    doc.saved = doc.view.state.doc;
    changed(doc);
  });
}

whenChanged(async ({ path, sum }) => {
  const doc = find(path, false);
  if (!doc || sum === doc.sum) return;
  if (sum === "") {
    doc.sum = "";
    changed(doc); // it is gone: what is shown here is the only version
    return;
  }
  const theirs = await ask("open", { path }).catch(() => null);
  if (!theirs || theirs.sum === doc.sum) return;
  doc.disk.value = theirs;
  if (!doc.unsaved.peek()) takeDisk(doc);
});

whenFiles((now) => {
  files.value = now.files;
  moreFiles.value = now.more;
});

// --- what a reload must not lose -------------------------------------------------------------------------

interface Kept {
  tabs: { path: string; library: boolean; text?: string }[];
  active: number;
}

let keeping: ReturnType<typeof setTimeout> | undefined;
let awaited: Kept["tabs"] = []; // what was kept and is not open again yet
const keptName = () => `studio ${hello.peek()?.uri}`;

/** remember keeps what is open and unsaved for a reload of the page. */
function remember(): void {
  clearTimeout(keeping);
  keeping = setTimeout(keep, 200);
}

function keep(): void {
  const list = docs.peek();
  const kept: Kept = {
    tabs: [
      ...list.map((d) => ({ path: d.path, library: d.library, ...(d.unsaved.peek() ? { text: d.view.state.doc.toString() } : {}) })),
      ...awaited.filter((t) => !find(t.path, t.library)),
    ],
    active: list.findIndex((d) => d === active.peek()),
  };
  try {
    sessionStorage.setItem(keptName(), JSON.stringify(kept));
  } catch {
    // There is no room: a reload asks first, as something is unsaved.
  }
}

addEventListener("pagehide", keep);

/** restore opens what was kept, and returns what was shown. */
async function restore(): Promise<Doc | null> {
  let kept: Kept | null = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(keptName()) ?? "null");
  } catch {
    return null;
  }
  awaited = kept?.tabs ?? [];
  const shown: (Doc | null)[] = [];
  for (const t of awaited) {
    const file = await ask("open", { path: t.path, library: t.library }).catch(() => null);
    const doc = find(t.path, t.library); // it may have been opened meanwhile
    if (doc) {
      if (t.text !== undefined && !doc.unsaved.peek()) showText(doc.view, t.text);
      shown.push(doc);
    } else if (file) shown.push(add(t.path, t.library, file.text, file.sum, t.text));
    else shown.push(t.text === undefined ? null : add(t.path, t.library, "", "", t.text));
  }
  awaited = [];
  return shown[kept?.active ?? 0] ?? docs.peek()[0] ?? null;
}

let begun = false;

whenOpened(async () => {
  const h = await ask("hello", {});
  hello.value = h;
  files.value = h.files;
  moreFiles.value = h.more;
  document.title = `${h.folder} – Arbiter studio`;
  if (begun) return;
  begun = true;
  const kept = await restore();
  const name = h.file || (kept ? "" : firstOf(h.files));
  const first = name ? await open(name, false, true) : kept;
  if (!active.peek()) active.value = first ?? kept; // unless somebody has chosen another meanwhile
  remember();
});

/** firstOf is the file that is opened when none is named. */
function firstOf(list: string[]): string {
  return list.find((f) => f.endsWith(".encounter")) ?? list.find((f) => f.endsWith(".rules")) ?? list[0] ?? "";
}
