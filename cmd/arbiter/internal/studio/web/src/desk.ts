// The questions of the page to the program, except those of the editor and of live play: JSON-RPC over one channel.
import { signal } from "@preact/signals";
import { openChannel, type Channel } from "./channel";
import type { Answers, Diagnostic, FilesDocument, Params } from "./messages";
import { answerEarly, isInside } from "./program";

/** connected says whether the program can be reached. */
export const connected = signal(false);

/** Refusal is the answer that a question cannot be answered: the message says why. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly code: number,
    readonly data: unknown,
  ) {
    super(message);
  }

  /** mistakes are those of the scripts, if they are the reason. */
  get mistakes(): Diagnostic[] {
    return this.code === 3 ? (this.data as { diagnostics: Diagnostic[] }).diagnostics : [];
  }

  /** changed is what the disk has, if the file was changed there. */
  get changed(): { text: string; sum: string } | null {
    return this.code === 2 ? (this.data as { text: string; sum: string }) : null;
  }
}

/** Lost is the answer to a question that was open when the connection was lost. */
export class Lost extends Error {
  constructor() {
    super("The connection to the program was lost; it is tried again.");
  }
}

interface Waiting {
  answer(value: unknown): void;
  refuse(error: Error): void;
  soFar?: ((value: never) => void) | undefined;
}

const waiting = new Map<string, Waiting>();
const listeners: {
  opened: (() => void)[];
  changed: ((note: { path: string; sum: string }) => void)[];
  files: ((files: FilesDocument) => void)[];
} = { opened: [], changed: [], files: [] };
let last = 0;
let channel: Channel;

/** start connects to the program. */
export function start(): void {
  channel = openChannel("desk", {
    opened() {
      connected.value = true;
      for (const tell of listeners.opened) tell();
    },
    lost() {
      connected.value = false;
      for (const w of waiting.values()) w.refuse(new Lost());
      waiting.clear();
    },
    received,
  });
}

function received(text: string): void {
  const message = JSON.parse(text);
  if (message.method === "sofar") {
    waiting.get(message.params.id)?.soFar?.(message.params.sofar as never);
  } else if (message.method === "changed") {
    for (const tell of listeners.changed) tell(message.params);
  } else if (message.method === "files") {
    for (const tell of listeners.files) tell(message.params);
  } else {
    const w = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) w?.refuse(new Refusal(message.error.message, message.error.code, message.error.data));
    else w?.answer(message.result);
  }
}

/** whenOpened calls each time the program has been reached. */
export function whenOpened(tell: () => void): void {
  listeners.opened.push(tell);
}

/** whenChanged calls when a file has changed on the disk. */
export function whenChanged(tell: (note: { path: string; sum: string }) => void): void {
  listeners.changed.push(tell);
}

/** whenFiles calls when there are other files than before. */
export function whenFiles(tell: (files: FilesDocument) => void): void {
  listeners.files.push(tell);
}

/** Asked says how a question is followed. */
export interface Asked<Q extends keyof Answers> {
  /** is called with what is known so far. */
  soFar?: (answer: Answers[Q]) => void;
  /** takes the question back. */
  signal?: AbortSignal;
}

/** ask asks the program. */
export function ask<Q extends keyof Answers>(method: Q, params: Params[Q], how: Asked<Q> = {}): Promise<Answers[Q]> {
  const id = `q${++last}`;
  return new Promise((resolve, reject) => {
    if (how.signal?.aborted) return reject(how.signal.reason);
    const early = isInside ? answerEarly(method, params) : undefined;
    if (early) return resolve(early);
    waiting.set(id, { answer: resolve as (value: unknown) => void, refuse: reject, soFar: how.soFar as Waiting["soFar"] });
    how.signal?.addEventListener("abort", () => {
      if (!waiting.delete(id)) return;
      channel.send(JSON.stringify({ jsonrpc: "2.0", method: "cancel", params: { id } }));
      reject(how.signal?.reason);
    });
    channel.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  });
}
