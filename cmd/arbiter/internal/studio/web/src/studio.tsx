// The page of the studio: files and text on the left, the fight in the middle, its numbers on the right; on a narrow
// screen one of them at a time.
import { signal } from "@preact/signals";
import { render } from "preact";
import { connected, start } from "./desk";
import { hello, save, active, unsavedDocs } from "./documents";
import { connectEditor } from "./editor";
import { EditorPane } from "./editorpane";
import { FightPane } from "./fightpane";
import { Notices } from "./notices";
import { NumbersPane } from "./numberspane";
import { isInside, phase, tellsStory } from "./program";
import { Sidebar } from "./sidebar";
import { StagePage, watchStage } from "./stagepage";
import { beginStory, StoryPage } from "./storypage";
import "./studio.css";

type Pane = "files" | "text" | "fight" | "numbers";

/** hidden are the panes that a wide screen leaves out, to give the others room. */
const hidden = signal<Pane[]>(JSON.parse(localStorage.getItem("studio panes") ?? "[]"));

function toggle(pane: Pane): void {
  const now = hidden.peek().includes(pane) ? hidden.peek().filter((p) => p !== pane) : [...hidden.peek(), pane];
  if (now.length < panes.length) hidden.value = now;
  localStorage.setItem("studio panes", JSON.stringify(hidden.peek()));
}

/** shown is the pane that a narrow screen shows. */
export const shown = signal<Pane>("text");

const panes: [Pane, string][] = [
  ["files", "Files"],
  ["text", "Text"],
  ["fight", "Fight"],
  ["numbers", "Numbers"],
];

function Studio() {
  return (
    <div class="studio" data-pane={shown.value} data-hidden={hidden.value.join(" ")}>
      <header class="top">
        <h1>
          Arbiter <span class="quiet">{hello.value?.folder}</span>
        </h1>
        <span class="space" />
        <div class="switch shown-panes" role="group" aria-label="Show">
          {panes.map(([name, title]) => (
            <button key={name} aria-pressed={!hidden.value.includes(name)} onClick={() => toggle(name)}>
              {title}
            </button>
          ))}
        </div>
        <Connection />
      </header>
      <main>
        <section class="pane pane-files" aria-label="Files of the folder">
          <Sidebar />
        </section>
        <section class="pane pane-text" aria-label="Text">
          <EditorPane />
        </section>
        <section class="pane pane-fight" aria-label="Fight">
          <FightPane />
        </section>
        <section class="pane pane-numbers" aria-label="Numbers">
          <NumbersPane />
        </section>
      </main>
      <nav class="pane-tabs" aria-label="Panes">
        {panes.map(([name, title]) => (
          <button key={name} aria-pressed={shown.value === name} onClick={() => (shown.value = name)}>
            {title}
          </button>
        ))}
      </nav>
      <Notices />
    </div>
  );
}

/** Connection says whether the program is there. */
function Connection() {
  if (isInside) {
    const p = phase.value;
    if (p.at === "starting")
      return (
        <p class="unreachable" role="status">
          The program is loading. You can write meanwhile.
        </p>
      );
    return p.at === "ready" ? null : (
      <p class="unreachable" role="alert">
        The program does not run: {p.why}. Load the page again.
      </p>
    );
  }
  return connected.value ? null : (
    <p class="unreachable" role="alert">
      The program cannot be reached; trying again. What is unsaved stays here.
    </p>
  );
}

// The browser's own dialog would save the page, whose files are what is meant.
addEventListener("keydown", (e) => {
  if ((e.ctrlKey || e.metaKey) && e.key === "s") {
    e.preventDefault();
    const doc = active.peek();
    if (doc && !doc.view.hasFocus) void save(doc);
  }
});

addEventListener("beforeunload", (e) => {
  if (unsavedDocs.peek().length > 0) e.preventDefault();
});

const root = document.getElementById("studio");
const isStage = root?.dataset.page === "players";
if (root) render(isStage ? <StagePage /> : tellsStory ? <StoryPage /> : <Studio />, root);
if (isStage) watchStage();
else {
  start();
  if (tellsStory) beginStory();
  else connectEditor();
}
