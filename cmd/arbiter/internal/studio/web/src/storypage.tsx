// A page that tells one adventure: its story and its fights, without the studio around it.
import { batch, effect, signal } from "@preact/signals";
import { hello } from "./documents";
import { choose, house } from "./fight";
import { lead, phase, session, table, wasLed } from "./play";
import { LeadPanel, PlayPane, tells } from "./playpane";
import { Notices } from "./notices";
import { isInside, phase as program } from "./program";

const title = signal(document.title);

/** begin takes the seat as soon as the program answers. */
export function beginStory(): void {
  const stop = effect(() => {
    const h = hello.value;
    if (!h || (isInside && program.value.at !== "ready")) return;
    queueMicrotask(() => {
      stop();
      batch(() => {
        choose(h.file);
        house.value = [];
      });
      const kept = wasLed()?.session ?? h.files.filter((f) => f.endsWith(".session")).sort(bySession).at(-1);
      void lead(kept ?? h.file.replace(/\.[a-z]+$/, ".session"));
    });
  });
}

const numberOf = (name: string) => Number(/-(\d+)\.session$/.exec(name)?.[1] ?? 1);
const bySession = (a: string, b: string) => numberOf(a) - numberOf(b);

export function StoryPage() {
  const p = program.value;
  return (
    <div class="story-page" data-telling={tells.value}>
      <header class="top">
        <h1>{title.value}</h1>
        <span class="space" />
        {session.value && table.value && <span class="quiet">{table.value.view.story?.title}</span>}
      </header>
      <main>
        {p.at === "failed" ? (
          <p class="unreachable" role="alert">
            The program does not run: {p.why}. Load the page again.
          </p>
        ) : phase.value === "away" || (phase.value === "asking" && !table.value) ? (
          <p class="quiet pad" role="status">
            The story is being opened…
          </p>
        ) : (
          <>
            <PlayPane />
            {table.value && !tells.value && <LeadPanel />}
          </>
        )}
      </main>
      <Notices />
    </div>
  );
}
