// The left column: the files of the folder, the outline of the text, and what is found in all files.
import { effect, signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { ask } from "./desk";
import { active, checks, create, docs, files, hello, moreFiles, open, unsavedTexts } from "./documents";
import { goTo, request } from "./editor";
import type { FoundLine } from "./messages";
import { complain } from "./notices";
import { isInside, keeps, startOver } from "./program";

type View = "files" | "outline" | "find";
export const view = signal<View>("files");

export function Sidebar() {
  return (
    <nav class="sidebar" aria-label="Files">
      <div class="views" role="tablist">
        {(["files", "outline", "find"] as View[]).map((v) => (
          <button key={v} role="tab" aria-selected={view.value === v} onClick={() => (view.value = v)}>
            {v === "files" ? "Files" : v === "outline" ? "Outline" : "Find"}
          </button>
        ))}
      </div>
      {view.value === "files" ? <Tree /> : view.value === "outline" ? <Outline /> : <Find />}
    </nav>
  );
}

// --- files -------------------------------------------------------------------------------------------------

interface Folder {
  name: string;
  path: string;
  folders: Folder[];
  files: string[];
}

function treeOf(paths: string[]): Folder {
  const root: Folder = { name: "", path: "", folders: [], files: [] };
  for (const path of paths) {
    let at = root;
    const parts = path.split("/");
    for (const name of parts.slice(0, -1)) {
      let next = at.folders.find((f) => f.name === name);
      if (!next) at.folders.push((next = { name, path: `${at.path}${name}/`, folders: [], files: [] }));
      at = next;
    }
    at.files.push(path);
  }
  return root;
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** FileName is a name that breaks before its ending, if it must. */
function FileName({ path }: { path: string }) {
  const name = nameOf(path);
  const at = Math.max(0, name.lastIndexOf("."));
  return (
    <>
      {name.slice(0, at)}
      <wbr />
      {name.slice(at)}
    </>
  );
}

function Tree() {
  const opened = docs.value.filter((d) => !d.library).map((d) => d.path);
  const tree = treeOf([...new Set([...files.value, ...opened])].sort());
  return (
    <div class="tree">
      <p class="folder-name">
        <b>{hello.value?.folder}</b> <NewFile />
      </p>
      <Level folder={tree} depth={0} />
      {files.value.length === 0 && <p class="quiet">There is no script here yet.</p>}
      {isInside && (
        <p class="quiet kept-here">
          {keeps.value ? "What you save stays in this browser." : "Another tab shows this page and keeps what is saved there; here nothing is kept."}{" "}
          <button class="plain" onClick={() => confirm("Forget everything that was saved in this browser?") && startOver()}>
            Start over
          </button>
        </p>
      )}
      {moreFiles.value && <p class="quiet">There are more files than are shown: open a smaller folder.</p>}
    </div>
  );
}

function Level({ folder, depth }: { folder: Folder; depth: number }) {
  const here = active.value;
  const unsaved = (path: string) => docs.value.find((d) => d.path === path && !d.library)?.unsaved.value ?? false;
  return (
    <ul style={{ paddingLeft: depth ? "0.9rem" : "0" }}>
      {folder.folders.map((f) => (
        <li key={f.path}>
          <details open={depth < 1 || here?.path.startsWith(f.path)}>
            <summary>{f.name}</summary>
            <Level folder={f} depth={depth + 1} />
          </details>
        </li>
      ))}
      {folder.files.map((path) =>
        path.endsWith(".session") ? (
          <li key={path} class="session-file">
            <FileName path={path} />
          </li>
        ) : (
          <li key={path}>
            <button class="file" aria-current={here?.path === path && !here.library ? "true" : undefined} onClick={() => void open(path)}>
              <FileName path={path} />
              {unsaved(path) && (
                <span class="dot" title="unsaved">
                  {" "}
                  ●<span class="sr"> unsaved</span>
                </span>
              )}
            </button>
          </li>
        ),
      )}
    </ul>
  );
}

const templates: Record<string, (name: string) => string> = {
  ".rules": (name) => `ruleset ${name} extends srd35 "What it changes, in a sentence."\n\n`,
  ".encounter": (name) => `encounter "${name}" with srd35\n\n`,
};

function NewFile() {
  const [asking, setAsking] = useState(false);
  const [path, setPath] = useState("");
  if (!asking)
    return (
      <button class="plain" title="New file" aria-label="New file" onClick={() => setAsking(true)}>
        +
      </button>
    );
  const submit = (e: Event) => {
    e.preventDefault();
    const ext = path.slice(path.lastIndexOf("."));
    if (files.peek().includes(path)) void open(path);
    else create(path, templates[ext]?.(nameOf(path).slice(0, -ext.length)) ?? "");
    setAsking(false);
    setPath("");
  };
  return (
    <form onSubmit={submit} class="new-file">
      <input
        autofocus
        required
        pattern="[^.\/][^\\]*\.(rules|encounter|adventure|tests|star|md)"
        title="a path in this folder that ends in .rules, .encounter, .adventure, .tests, .star or .md"
        placeholder="gritty.rules"
        aria-label="Path of the new file"
        value={path}
        onInput={(e) => setPath(e.currentTarget.value)}
        onKeyDown={(e) => e.key === "Escape" && setAsking(false)}
        ref={(e) => e?.focus()}
      />
    </form>
  );
}

// --- the outline of the text -------------------------------------------------------------------------------

interface Symbol {
  name: string;
  detail?: string;
  range: { start: { line: number; character: number } };
  children?: Symbol[];
}

const outline = signal<Symbol[]>([]);

effect(() => {
  const doc = active.value;
  checks.value;
  if (view.value !== "outline" || !doc) return;
  request<Symbol[] | null>("textDocument/documentSymbol", { textDocument: { uri: doc.uri } })
    .then((list) => (outline.value = list ?? []))
    .catch(() => (outline.value = []));
});

function Outline() {
  return (
    <div class="tree">
      {outline.value.length === 0 ? <p class="quiet">Nothing is declared in this file.</p> : <Symbols list={outline.value} depth={0} />}
    </div>
  );
}

function Symbols({ list, depth }: { list: Symbol[]; depth: number }) {
  return (
    <ul style={{ paddingLeft: depth ? "0.9rem" : "0" }}>
      {list.map((s, i) => (
        <li key={`${s.name} ${i}`}>
          <button
            class="file"
            onClick={() => {
              const doc = active.peek();
              if (doc) void goTo(doc.path, s.range.start.line + 1, s.range.start.character + 1, doc.library);
            }}
          >
            {s.name} <span class="quiet">{s.detail}</span>
          </button>
          {s.children && s.children.length > 0 && <Symbols list={s.children} depth={depth + 1} />}
        </li>
      ))}
    </ul>
  );
}

// --- all files ---------------------------------------------------------------------------------------------

const wanted = signal("");
const found = signal<FoundLine[] | null>(null);
let searching = new AbortController();

async function find(text: string): Promise<void> {
  wanted.value = text;
  searching.abort();
  const mine = (searching = new AbortController());
  if (!text.trim()) {
    found.value = null;
    return;
  }
  try {
    found.value = await ask("find", { text, texts: unsavedTexts() }, { signal: mine.signal });
  } catch (e) {
    complain(e);
  }
}

function Find() {
  const byFile = Map.groupBy(found.value ?? [], (f) => f.path);
  return (
    <div class="tree">
      <input type="search" placeholder="Find in all files" aria-label="Find in all files" value={wanted.value} onInput={(e) => void find(e.currentTarget.value)} ref={(e) => e?.focus()} />
      {found.value?.length === 0 && <p class="quiet">Nothing was found.</p>}
      {[...byFile].map(([path, lines]) => (
        <section key={path}>
          <h3>{path}</h3>
          <ul>
            {lines.map((f) => (
              <li key={f.line}>
                <button class="file found" onClick={() => void goTo(f.path, f.line, f.column)}>
                  <span class="quiet">{f.line}</span> {f.text.trim()}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
