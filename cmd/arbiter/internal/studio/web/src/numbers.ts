// The numbers of the fight: what a change does to its balance, and what many fights come to.
import { computed, effect, signal } from "@preact/signals";
import { ask, Lost, Refusal } from "./desk";
import { pointed } from "./editor";
import { checks, edits, unsavedDocs } from "./documents";
import { chosen, current, house, seed } from "./fight";
import type { Answers } from "./messages";
import { isInside } from "./program";

/** Against is what the fight is compared with. */
export type Against = "saved" | "without";

/** Question is something that is asked in the background, with what is known of it. */
export interface Asking<A> {
  answer: A | null;
  working: boolean;
  refusal: string;
}

const nothing = { answer: null, working: false, refusal: "" };

export const against = signal<Against>("saved");
export const balance = signal<Asking<Answers["compare"]>>(nothing);
export const simulation = signal<Asking<Answers["simulate"]>>(nothing);

const balanceFights = 1000;

/** awaitsMending says that what is unsaved has mistakes; inside the page, where checking and playing would only hold each
    other up, also that it has not been checked yet. */
export const awaitsMending = computed(() => unsavedDocs.value.some((d) => d.errors.value > 0 || (isInside && !d.checked.value)));

let weighing = new AbortController();
let due: ReturnType<typeof setTimeout> | undefined;

/** weigh plays the same fights before and after the change. */
async function weigh(): Promise<void> {
  if (!chosen.peek() || (against.peek() === "saved" ? unsavedDocs.peek().length === 0 : house.peek().length === 0)) {
    balance.value = nothing;
    return;
  }
  if (awaitsMending.peek()) return; // the next check without a mistake begins it
  const mine = (weighing = new AbortController());
  const known = balance.peek();
  balance.value = { ...known, working: true, refusal: "" };
  try {
    const answer = await ask(
      "compare",
      { ...current(), fights: balanceFights, against: against.peek() },
      { signal: mine.signal, soFar: (a) => (balance.value = { answer: a, working: true, refusal: "" }) },
    );
    balance.value = { answer, working: false, refusal: "" };
  } catch (e) {
    if (mine.signal.aborted) return;
    balance.value = { answer: null, working: false, refusal: e instanceof Lost ? "" : (e as Error).message };
  }
}

// After each check without a mistake, the fights are played in the background.
effect(() => {
  checks.value;
  against.value;
  chosen.value;
  house.value;
  unsavedDocs.value;
  awaitsMending.value;
  stop();
  due = setTimeout(() => void weigh(), 200);
});

function stop(): void {
  clearTimeout(due);
  weighing.abort();
  const known = balance.peek();
  if (known.working) balance.value = { ...known, working: false };
}

// The next keystroke takes them back.
effect(() => {
  edits.value;
  stop();
});

let simulating = new AbortController();

/** simulate plays the fight many times. */
export async function simulate(fights: number): Promise<void> {
  simulating.abort();
  const mine = (simulating = new AbortController());
  simulation.value = { answer: null, working: true, refusal: "" };
  try {
    const answer = await ask(
      "simulate",
      { ...current(), fights },
      { signal: mine.signal, soFar: (a) => (simulation.value = { answer: a, working: true, refusal: "" }) },
    );
    simulation.value = { answer, working: false, refusal: "" };
  } catch (e) {
    if (mine.signal.aborted) return;
    const first = e instanceof Refusal ? e.mistakes[0] : undefined;
    simulation.value = { answer: null, working: false, refusal: first ? `${first.file}:${first.line}: ${first.message}` : (e as Error).message };
  }
}

/** stopSimulation ends it with what was counted so far. */
export function stopSimulation(): void {
  simulating.abort();
  simulation.value = { ...simulation.peek(), working: false };
}

export const reckoned = signal<Asking<Answers["odds"]>>(nothing);
let reckoning = new AbortController();

/** reckon asks what a command would come to: where a script stands after the text before it, or else where it hands over
    to tactics. */
export async function reckon(command: string, after?: { path: string; before: string }): Promise<void> {
  reckoning.abort();
  const mine = (reckoning = new AbortController());
  reckoned.value = { ...nothing, working: true };
  try {
    reckoned.value = { ...nothing, answer: await ask("odds", after ? upTo(after, command) : { ...current(), command }, { signal: mine.signal }) };
  } catch (e) {
    if (mine.signal.aborted) return;
    if (after) return reckon(command); // what comes before is not a script of its own
    const first = e instanceof Refusal ? e.mistakes[0] : undefined;
    reckoned.value = { ...nothing, refusal: first ? `${first.message}. ${first.hint}` : (e as Error).message };
  }
}

function upTo(after: { path: string; before: string }, command: string) {
  const fight = current();
  return { ...fight, path: after.path, texts: { ...fight.texts, [after.path]: after.before }, command };
}

// The command that is pointed at in the text is reckoned.
effect(() => {
  const p = pointed.value;
  if (p) void reckon(p.command, p);
});

// Numbers of another fight are none of this one.
effect(() => {
  chosen.value;
  seed.value;
  simulating.abort();
  reckoning.abort();
  simulation.value = nothing;
  reckoned.value = nothing;
});
