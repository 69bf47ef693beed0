// Live play: a fight that is led from the page. The page says what is typed at the prompt of `arbiter play`, and shows
// the documents that come back; the program keeps the fight, and its file.
import { batch, computed, signal } from "@preact/signals";
import { openChannel, type Channel } from "./channel";
import { files, saveAll, unsavedDocs } from "./documents";
import { chosen, house, seed } from "./fight";
import type { Replay } from "./fight/model";
import type { Diagnostic, Inquiry, PlayDocument, Question, Scenes, Table } from "./messages";

/** Phase is how far the fight is led. */
type Phase = "away" | "asking" | "led" | "refused" | "lost";

export const phase = signal<Phase>("away");
export const session = signal("");
export const notice = signal("");
export const next = signal(""); // the command with which the script would continue
export const refused = signal<{ message: string; taken: boolean; diagnostics: Diagnostic[] }>({ message: "", taken: false, diagnostics: [] });
export const table = signal<Table | null>(null);
export const replay = signal<Replay | null>(null);
export const scenes = signal<Scenes | null>(null); // of the adventure that is led
export const question = signal<Question | null>(null);
export const busy = signal(false);
export const said = signal<string[]>([]); // what the prompt said last, besides events
export const diceByHand = signal(false);
export const completions = signal<{ text: string; from: number; list: string[] }>({ text: "", from: 0, list: [] });

/** odds are what commands would come to in the present state. */
export const odds = signal(new Map<string, Inquiry | null>());

export const turn = computed(() => table.value?.view.turn ?? "");

let channel: Channel | null = null;
let asked: string[] = []; // commands whose odds are wanted, the one that is being answered first
let waiting = false; // the prompt waits for a line
let queue: string[] = []; // lines that wait for it

/** sessionsOf are the sessions of a fight that are in the folder. */
export function sessionsOf(path: string): string[] {
  const stem = path.replace(/\.[a-z]+$/, "");
  return files.value.filter((f) => f.endsWith(".session") && (f === `${stem}.session` || f.startsWith(`${stem}-`)));
}

/** newSession is a name that is free. */
export function newSession(path: string): string {
  const stem = path.replace(/\.[a-z]+$/, "");
  const taken = new Set(files.peek());
  let name = `${stem}.session`;
  for (let n = 2; taken.has(name); n++) name = `${stem}-${n}.session`;
  return name;
}

/** lead takes over the fight, in a session that is resumed if it exists. What is unsaved is saved first: the session
    names the files that it is played by. */
export async function lead(file: string): Promise<void> {
  if (unsavedDocs.peek().length > 0 && !(await saveAll())) return;
  leave();
  session.value = file;
  begin();
}

function begin(): void {
  batch(() => {
    phase.value = "asking";
    notice.value = next.value = "";
    said.value = [];
    question.value = null;
    busy.value = true;
  });
  asked = [];
  queue = [];
  waiting = false;
  const params = { path: chosen.peek(), with: house.peek(), seed: seed.peek(), session: session.peek() };
  const mine = openChannel("play", {
    opened() {
      if (phase.peek() === "lost") phase.value = "asking";
      asked = [];
      mine.send(JSON.stringify(params));
    },
    lost() {
      if (channel !== mine || phase.peek() === "refused") return;
      batch(() => {
        phase.value = "lost";
        busy.value = true;
      });
    },
    received(text) {
      if (channel === mine) received(JSON.parse(text) as PlayDocument);
    },
  });
  channel = mine;
  sessionStorage.setItem(kept, JSON.stringify(params));
}

const kept = "studio play";

/** wasLed is the fight that was led when the page was reloaded. */
export function wasLed(): { path: string; session: string; with: string[] } | null {
  try {
    return JSON.parse(sessionStorage.getItem(kept) ?? "null");
  } catch {
    return null;
  }
}

/** leave leaves the fight, which is kept in its file. */
export function leave(): void {
  channel?.close();
  channel = null;
  sessionStorage.removeItem(kept);
  batch(() => {
    phase.value = "away";
    table.value = null;
    replay.value = null;
    question.value = null;
    scenes.value = null;
    odds.value = new Map();
  });
}

/** leadAgain leads the same script from its beginning: whatever was done is undone. */
export async function leadAgain(was: string): Promise<void> {
  leave();
  await lead(nextSession(was));
}

function nextSession(was: string): string {
  const stem = was.replace(/(-\d+)?\.session$/, "");
  const number = Number(/-(\d+)\.session$/.exec(was)?.[1] ?? 1);
  return `${stem}-${number + 1}.session`;
}

function received(d: PlayDocument | Inquiry | { kind: string }): void {
  if ("command" in d) {
    answered(d);
    return;
  }
  const doc = d as PlayDocument;
  switch (doc.kind) {
    case "seated":
      batch(() => {
        phase.value = "led";
        next.value = doc.next;
        notice.value = [doc.torn, doc.resumed ? `Resumed from ${doc.session}.` : `Saved in ${doc.session}.`].filter(Boolean).join(" ");
      });
      break;
    case "refused":
      channel?.close();
      batch(() => {
        phase.value = "refused";
        busy.value = false;
        refused.value = { message: doc.message, taken: doc.taken, diagnostics: doc.diagnostics ?? [] };
      });
      break;
    case "scenes":
      scenes.value = doc;
      break;
    case "table":
      batch(() => {
        table.value = doc;
        odds.value = new Map();
      });
      asked = [];
      break;
    case "replay":
      if ("events" in doc) replay.value = doc;
      break;
    case "question":
      question.value = doc;
      break;
    case "waiting":
      waiting = true;
      batch(() => {
        busy.value = false;
        if (!doc.answer) question.value = null;
      });
      flush();
      break;
    case "completions":
      completions.value = doc;
      break;
    case "message":
      if (!asked.length) tell(doc.text);
      break;
    case "reply":
      if (doc.unsaved) tell(`Not saved, so not done: ${doc.unsaved}`);
      else if (doc.failures?.length) tell(...doc.failures);
      break;
  }
}

function tell(...lines: string[]): void {
  said.value = [...said.peek(), ...lines].slice(-4);
}

/** say says a line as it is typed at a prompt. */
export function say(line: string): void {
  batch(() => {
    said.value = [];
    busy.value = true;
  });
  if (line === ":dice ask") diceByHand.value = true;
  if (line === ":dice seed") diceByHand.value = false;
  queue.push(line);
  flush();
}

/** showPlayers shows the page of players what that side sees. */
export function showPlayers(side: string): void {
  channel?.send(JSON.stringify({ players: side }));
}

/** stop stops the running command. */
export function stop(): void {
  channel?.send(JSON.stringify({ stop: true }));
}

/** complete asks how a text can go on. */
export function complete(text: string): void {
  if (waiting) channel?.send(JSON.stringify({ complete: text }));
}

/** wantOdds asks what a command would come to, when nothing else is to be done. */
export function wantOdds(command: string): void {
  if (odds.peek().has(command) || question.peek()) return;
  odds.value = new Map(odds.peek()).set(command, null);
  asked.push(command);
  flush();
}

/** flush says the next line, when the prompt waits. */
function flush(): void {
  if (!waiting) return;
  let line = queue.shift();
  if (line === undefined && asked.length && !question.peek()) line = `?${asked[0]}`;
  if (line === undefined) return;
  if (!line.startsWith("?")) asked = [];
  waiting = false;
  channel?.send(JSON.stringify({ line }));
}

/** answered keeps the odds of the command that was asked about. */
function answered(x: Inquiry): void {
  const command = asked.shift();
  if (command) odds.value = new Map(odds.peek()).set(command, x);
}
