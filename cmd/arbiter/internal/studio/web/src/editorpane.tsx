// The middle of writing: tabs of the open files, the text, and what is wrong with it.
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { formatDocument, renameSymbol } from "@codemirror/lsp-client";
import { openSearchPanel } from "@codemirror/search";
import { nextDiagnostic } from "@codemirror/lint";
import { useEffect, useRef, useState } from "preact/hooks";
import { active, close, docs, save, takeDisk, type Doc } from "./documents";
import { complain, say } from "./notices";
import { isInside } from "./program";
import { linkTo } from "./share";

export function EditorPane() {
  const doc = active.value;
  return (
    <div class="editor">
      <Tabs />
      {doc?.library && <p class="banner">Built-in rules, to be read. A house rule of your own can change any part of them.</p>}
      {doc?.disk.value && <Conflict key={doc.uri} doc={doc} />}
      <Text doc={doc} />
      {doc && <Status doc={doc} />}
    </div>
  );
}

function Tabs() {
  const [closing, setClosing] = useState<Doc | null>(null);
  const leave = (d: Doc) => (d.unsaved.peek() ? setClosing(d) : close(d));
  return (
    <>
      <nav class="open-files" aria-label="Open files">
        {docs.value.map((d) => (
          <span key={d.uri} class="tab" data-active={active.value === d} ref={(e) => (active.value === d ? e?.scrollIntoView({ block: "nearest", inline: "nearest" }) : undefined)}>
            <button aria-current={active.value === d ? "true" : undefined} title={d.library ? `built-in: ${d.path}` : d.path} onClick={() => (active.value = d)}>
              {d.path.slice(d.path.lastIndexOf("/") + 1)}
              {d.unsaved.value && (
                <span class="dot">
                  {" "}
                  ●<span class="sr"> unsaved</span>
                </span>
              )}
              {d.errors.value > 0 && <span class="count bad"> {d.errors.value}</span>}
            </button>
            <button class="plain" aria-label={`Close ${d.path}`} onClick={() => leave(d)}>
              ×
            </button>
          </span>
        ))}
      </nav>
      {closing && (
        <div class="banner warn" role="alertdialog" aria-label="Unsaved changes">
          <span>{closing.path} has changes that are not saved.</span>
          <button
            onClick={async () => {
              if (await save(closing)) close(closing);
              setClosing(null);
            }}
          >
            Save and close
          </button>
          <button
            onClick={() => {
              close(closing);
              setClosing(null);
            }}
          >
            Discard
          </button>
          <button onClick={() => setClosing(null)}>Cancel</button>
        </div>
      )}
    </>
  );
}

/** Text holds the editors of all open files, of which one is shown. */
function Text({ doc }: { doc: Doc | null }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return;
    if (!doc) host.current.replaceChildren();
    else if (doc.view.dom.parentElement !== host.current) {
      host.current.replaceChildren(doc.view.dom);
      doc.view.requestMeasure();
    }
  }, [doc]);
  return <div class="text" ref={host} />;
}

/** Conflict shows what somebody else has made of a file, beside what is unsaved here. */
function Conflict({ doc }: { doc: Doc }) {
  const theirs = doc.disk.value;
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current || !theirs) return;
    const nonce = document.querySelector<HTMLMetaElement>("meta[name=style-nonce]")?.content ?? "";
    const both = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: doc.view.state.doc,
        extensions: [
          EditorView.cspNonce.of(nonce),
          lineNumbers(),
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ "aria-label": "Differences from the disk" }),
          unifiedMergeView({ original: theirs.text, mergeControls: false, collapseUnchanged: { margin: 2, minSize: 4 } }),
        ],
      }),
    });
    return () => both.destroy();
  }, [theirs, doc]);
  return (
    <div class="conflict" role="alert">
      <p class="banner warn">
        <span>
          <b>{doc.path}</b> was changed on the disk while it was edited here. Below, what the disk has is struck out in red, and what you have is green.
        </span>
        <button onClick={() => void save(doc, true)}>Save mine over it</button>
        <button onClick={() => takeDisk(doc)}>Take what the disk has</button>
      </p>
      <div class="both" ref={host} />
    </div>
  );
}

async function copyLink(doc: Doc): Promise<void> {
  try {
    await navigator.clipboard.writeText(await linkTo({ path: doc.path, text: doc.view.state.doc.toString() }));
    say("The link is copied.");
  } catch (e) {
    complain(e);
  }
}

function Status({ doc }: { doc: Doc }) {
  const errors = doc.errors.value;
  const warnings = doc.warnings.value;
  const act = (command: (view: EditorView) => boolean) => () => {
    doc.view.focus();
    command(doc.view);
  };
  return (
    <footer class="status">
      <button class="plain problems" onClick={act(nextDiagnostic)} title="Go to the next (F8)">
        {!doc.checked.value ? (
          <span class="quiet">… checking</span>
        ) : errors + warnings === 0 ? (
          <span class="good">✓ no mistakes</span>
        ) : (
          <>
            {errors > 0 && <span class="bad">✕ {errors === 1 ? "1 mistake" : `${errors} mistakes`}</span>} {warnings > 0 && <span class="warn">⚠ {warnings}</span>}
          </>
        )}
      </button>
      <span class="space" />
      <button class="plain" onClick={act(openSearchPanel)} title="Find in this file (Ctrl-F)">
        Find
      </button>
      {!doc.library && (
        <>
          <button class="plain" onClick={act(renameSymbol)} title="Rename what the cursor is on (F2)">
            Rename
          </button>
          <button class="plain" onClick={act(formatDocument)} title="Write it in the canonical form (Shift-Alt-F)">
            Format
          </button>
          {isInside && (
            <button class="plain" onClick={() => void copyLink(doc)} title="A link to this page that carries this text; no server sees it">
              Copy link
            </button>
          )}
          <button class="plain" disabled={!doc.unsaved.value} onClick={() => void save(doc)} title={isInside ? "Keep it in this browser (Ctrl-S)" : "Save (Ctrl-S)"}>
            Save
          </button>
        </>
      )}
    </footer>
  );
}
