// Which fight is shown beside the text, and what it came to.
import { batch, computed, effect, signal } from "@preact/signals";
import { ask, Lost, Refusal } from "./desk";
import { active, checks, docs, edits, files, unsavedTexts } from "./documents";
import { isInside, tellsStory } from "./program";
import type { Diagnostic, Fight, RunDocument } from "./messages";

/** chosen is the script that is played; house are the house rules that are added to it. */
export const chosen = signal("");
export const house = signal<string[]>([]);
export const seed = signal<number | null>(null);

export const result = signal<RunDocument | null>(null);
export const mistakes = signal<Diagnostic[]>([]);
export const refusal = signal("");
export const running = signal(false);

export const isFight = (path: string) => path.endsWith(".encounter") || path.endsWith(".adventure");

/** choices are the scripts that can be played. */
export const choices = computed(() => {
  const opened = docs.value.filter((d) => !d.library).map((d) => d.path);
  return [...new Set([...files.value, ...opened])].filter(isFight).sort();
});

/** current says what is played now. */
export function current(): Fight {
  return { path: chosen.peek(), with: house.peek(), texts: unsavedTexts(), seed: seed.peek() };
}

let byHand = false; // somebody has chosen the fight

/** choose plays another script from now on. */
export function choose(path: string): void {
  byHand = docs.peek().length > 1 || byHand;
  chosen.value = path;
}

// The fight follows the text that is edited: an encounter is the fight itself, a house rule is added to it.
effect(() => {
  const doc = active.value;
  if (!doc || doc.library) return;
  if (isFight(doc.path)) choose(doc.path);
  else if (doc.path.endsWith(".rules")) {
    house.value = [doc.path];
    const folder = doc.path.slice(0, doc.path.lastIndexOf("/") + 1);
    const near = choices.peek().find((c) => c.startsWith(folder) && !c.slice(folder.length).includes("/"));
    if (!byHand && near) chosen.value = near;
  }
});

effect(() => {
  if (chosen.value === "" || !choices.value.includes(chosen.value)) chosen.value = choices.value[0] ?? "";
});

let asking = new AbortController();

/** run plays the script to its end, from the texts as they are. */
export async function run(): Promise<void> {
  asking.abort();
  if (!chosen.peek()) return;
  const mine = (asking = new AbortController());
  running.value = true;
  try {
    const answer = await ask("run", current(), { signal: mine.signal });
    batch(() => {
      result.value = answer;
      mistakes.value = answer.diagnostics;
      refusal.value = "";
    });
  } catch (e) {
    if (mine.signal.aborted || e instanceof Lost) return;
    batch(() => {
      mistakes.value = e instanceof Refusal ? e.mistakes : [];
      refusal.value = mistakes.value.length ? "" : String((e as Error).message);
      result.value = null;
    });
  } finally {
    if (asking === mine) running.value = false;
  }
}

let due: ReturnType<typeof setTimeout> | undefined;

// A text that was checked, or another fight, is played a moment later.
effect(() => {
  checks.value;
  chosen.value;
  house.value;
  seed.value;
  clearTimeout(due);
  const doc = isInside ? active.value : null; // there, checking and playing would only hold each other up
  if (doc && (!doc.checked.value || doc.errors.value > 0)) return;
  if (!tellsStory) due = setTimeout(() => void run(), 120);
});

// What is edited again is not worth an answer.
effect(() => {
  edits.value;
  asking.abort();
  clearTimeout(due);
});
