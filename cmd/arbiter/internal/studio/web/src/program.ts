// The program inside the page: a worker runs it where no server does. The page says so in an element of its own.
import { signal } from "@preact/signals";
import type { Channel, Listener } from "./channel";
import type { Answers, Hello, Params } from "./messages";
import { readShared } from "./share";
import { Keeper } from "./worker/keeper";
import type { Beginning, Config, Kept, Order, Report } from "./worker/orders";

/** Home is what a page without a server says of its program. */
interface Home {
  config: Config;
  files: Record<string, string> | string; // by path; or the address of a file with them
  story?: boolean; // the page tells the story of the file that is opened first, and nothing else
  keeps: boolean; // whether the browser keeps what is changed
  program: string; // its address, or # and the id of an element that has it as base64 text
  worker: string; // of the worker's script, or # and the id of an element that has it
  runtime: string; // likewise: of the script that runs programs of Go
  trees?: Record<string, Kept>; // their addresses, by built-in ruleset
}

const element = document.getElementById("arbiter-home");
const home: Home | null = element ? JSON.parse(element.textContent ?? "null") : null;

/** isInside says whether the page has its program inside itself. */
export const isInside = home !== null;

/** tellsStory says that the page tells one story. */
export const tellsStory = home?.story ?? false;

/** Phase is how far the program inside is. */
export const phase = signal<{ at: "starting" } | { at: "ready" } | { at: "failed"; why: string }>({ at: "starting" });

let worker: Worker | null = null;
const opened: (() => void)[] = []; // whom to tell when the worker has what it needs
const running: (() => void)[] = []; // and when the program runs

const byId = (name: string) => (name.startsWith("#") ? document.getElementById(name.slice(1))?.textContent : null);

async function start(h: Home): Promise<void> {
  const script = byId(h.worker);
  const runtime = byId(h.runtime);
  worker = new Worker(script ? addressOf(runtime + "\n" + script) : h.worker);
  worker.onmessage = (e: MessageEvent<Report>) => {
    if ("failed" in e.data) phase.value = { at: "failed", why: e.data.failed };
    else {
      phase.value = { at: "ready" };
      for (const tell of running.splice(0)) tell();
    }
  };
  worker.onerror = (e) => (phase.value = { at: "failed", why: e.message || "the browser could not load it" });
  const packed = byId(h.program);
  const keep = h.keeps && (await isAlone()) ? location.pathname : "";
  keeps.value = keep !== "";
  const config = { ...h.config };
  files = typeof h.files === "string" ? await fetched(h.files) : h.files;
  const keeper = await Keeper.open(keep);
  for (const [path, bytes] of await keeper.kept()) files[path] = bytes;
  const shared = await readShared();
  if (shared) {
    files[shared.path] = shared.text;
    config.file = shared.path;
  }
  begun = config;
  const begin: Beginning = {
    config,
    files,
    runtime: runtime ? "" : new URL(h.runtime, location.href).href,
    program: packed ? await bytesOf(packed) : new URL(h.program, location.href).href,
    trees: Object.fromEntries(Object.entries(h.trees ?? {}).map(([name, k]) => [name, { ...k, file: new URL(k.file, location.href).href }])),
    keep,
  };
  worker.postMessage({ begin } satisfies Order);
  for (const order of early.splice(0)) worker.postMessage(order, "port" in order ? [order.port] : []);
  for (const tell of opened.splice(0)) tell();
}

/** keeps says whether the browser keeps what is saved here. */
export const keeps = signal(true);

/** isAlone says whether no other tab shows this page: of several, the first keeps what is saved. */
function isAlone(): Promise<boolean> {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((answer) => {
    void navigator.locks.request(`arbiter ${location.pathname}`, { ifAvailable: true }, (lock) => {
      answer(lock !== null);
      return lock && new Promise(() => {}); // held until the tab is closed
    });
  });
}

const addressOf = (script: string) => URL.createObjectURL(new Blob([script], { type: "text/javascript" }));

let files: Beginning["files"] = {};
let begun: Config | null = null;

/** answerEarly answers what can be answered before the program runs, so that texts can be read and edited at once; else
    it returns undefined. */
export function answerEarly<Q extends keyof Answers>(method: Q, params: Params[Q]): Answers[Q] | undefined {
  if (!begun || phase.peek().at === "ready") return undefined;
  if (method === "hello") {
    const hello: Hello = {
      version: String(begun.version),
      folder: begun.folder.slice(begun.folder.lastIndexOf("/") + 1),
      uri: "file://" + begun.folder,
      library: "file://" + begun.cache,
      file: begun.file,
      files: Object.keys(files).sort(),
      more: false,
    };
    return hello as Answers[Q];
  }
  const { path, library } = params as Params["open"];
  const text = method === "open" && !library ? files[path] : undefined;
  if (typeof text === "undefined") return undefined;
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return { path, text: new TextDecoder().decode(bytes), sum: sumOf(bytes) } as Answers[Q];
}

/** sumOf is the sum of a text as the program computes it: FNV-1a with 64 bits. */
function sumOf(bytes: Uint8Array): string {
  let h = 0xcbf29ce484222325n;
  for (const b of bytes) h = BigInt.asUintN(64, (h ^ BigInt(b)) * 0x100000001b3n);
  return h.toString(16).padStart(16, "0");
}

async function fetched(address: string): Promise<Record<string, string>> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
  return answer.json();
}

const bytesOf = async (base64: string) => (await fetch("data:application/octet-stream;base64," + base64.trim())).arrayBuffer();

const early: Order[] = [];
let started = false;

/** openPort opens a channel to a door of the program inside. */
export function openPort(door: string, listener: Listener): Channel {
  if (!started && home) {
    started = true;
    start(home).catch((e: Error) => (phase.value = { at: "failed", why: e.message }));
  }
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = (e: MessageEvent<string>) => {
    if (e.data === "") port1.close();
    else listener.received(e.data);
  };
  const order: Order = { door, port: port2 };
  if (begun) worker?.postMessage(order, [port2]);
  else early.push(order);
  // The desk has answers before the program runs; what others ask must not wait so long.
  const list = door === "desk" ? (begun ? null : opened) : phase.peek().at === "ready" ? null : running;
  if (list) list.push(() => listener.opened());
  else queueMicrotask(() => listener.opened());
  return {
    send: (text) => port1.postMessage(text),
    close() {
      port1.postMessage("");
      port1.onmessage = null;
    },
  };
}

/** startOver forgets what the browser has kept, and loads the page again. */
export function startOver(): void {
  worker?.terminate();
  const request = indexedDB.deleteDatabase(`arbiter ${location.pathname}`);
  request.onsuccess = request.onerror = request.onblocked = () => {
    sessionStorage.clear();
    location.hash = "";
    location.reload();
  };
}
