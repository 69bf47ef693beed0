// The worker that runs the program in a page without a server. The page sends it a Beginning, and then ports, each with
// the door of the program that it leads to.
import { Disk, resolve } from "./disk";
import { Keeper } from "./keeper";
import type { Beginning, Order, Report } from "./orders";
import { Trees } from "./trees";

interface Go {
  env: Record<string, string>;
  importObject: WebAssembly.Imports;
  run(program: WebAssembly.Instance): Promise<void>;
}

const scope = globalThis as unknown as {
  Go: new () => Go;
  fs: unknown;
  path: unknown;
  process: unknown;
  arbiterConfig: string;
  arbiterProgram: string;
  arbiterTrees(ruleset: string, took: (bytes: Uint8Array | null) => void): void;
  arbiterReady(): void;
  arbiterFailed(why: string): void;
  arbiterConnect(door: string, port: MessagePort): void;
  importScripts(...urls: string[]): void;
  postMessage(report: Report): void;
  onmessage: ((e: MessageEvent<Order>) => void) | null;
};

const report = (r: Report) => scope.postMessage(r);

/** unpacked is the program; it comes packed by gzip, whatever the server does. */
function unpacked(packed: Response | ArrayBuffer): Promise<WebAssembly.WebAssemblyInstantiatedSource> {
  const body = packed instanceof Response ? packed.body! : new Blob([packed]).stream();
  const program = new Response(body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": "application/wasm" } });
  const go = new scope.Go();
  // Nothing else runs while memory is cleared up, so that is done seldom as long as little is in use.
  go.env = { GOGC: "300", GOMEMLIMIT: "384MiB" };
  running = go;
  return WebAssembly.instantiateStreaming(program, go.importObject);
}

let running: Go;

/** idOf identifies a program: Go's linker has written it. */
function idOf(program: WebAssembly.Module): string {
  const text = new TextDecoder("latin1").decode(WebAssembly.Module.customSections(program, "go:buildid")[0] ?? new ArrayBuffer(0));
  return /"(.*?)"/.exec(text)?.[1] ?? "";
}

async function begin(b: Beginning): Promise<void> {
  const trees = new Trees(b.trees);
  const first = b.files[b.config.file];
  if (typeof first === "string") trees.foresee(first);
  const keeper = await Keeper.open(b.keep);
  let line = "";
  const disk = new Disk(
    (path, bytes) => {
      if (path.startsWith(b.config.folder + "/")) keeper.keep(path.slice(b.config.folder.length + 1), bytes);
    },
    (text) => {
      line += text;
      const end = line.lastIndexOf("\n");
      if (end < 0) return;
      console.warn(line.slice(0, end));
      line = line.slice(end + 1);
    },
  );
  disk.addFolder("/tmp");
  disk.addFolder(b.config.folder);
  const encoder = new TextEncoder();
  for (const [path, text] of Object.entries(b.files)) disk.put(`${b.config.folder}/${path}`, typeof text === "string" ? encoder.encode(text) : text);
  scope.fs = disk;
  scope.path = { resolve };
  scope.process = {
    getuid: () => 0,
    getgid: () => 0,
    geteuid: () => 0,
    getegid: () => 0,
    getgroups: () => [],
    pid: 1,
    ppid: 0,
    umask: () => 0o022,
    cwd: () => b.config.folder,
    chdir: () => {},
  };
  if (b.runtime) scope.importScripts(b.runtime);
  const packed = typeof b.program === "string" ? await fetch(b.program) : b.program;
  if (packed instanceof Response && !packed.ok) throw new Error(`${b.program}: ${packed.status} ${packed.statusText}`);
  const { instance, module } = await unpacked(packed);
  scope.arbiterConfig = JSON.stringify(b.config);
  scope.arbiterProgram = idOf(module);
  scope.arbiterTrees = (ruleset, took) => void trees.give(ruleset).then(took);
  scope.arbiterReady = () => {
    ready = true;
    for (const [door, port] of early) scope.arbiterConnect(door, port);
    early.length = 0;
    report({ ready: true });
  };
  scope.arbiterFailed = (why) => report({ failed: why });
  await running.run(instance);
  report({ failed: "the program has ended" });
}

let ready = false;
const early: [string, MessagePort][] = [];

scope.onmessage = (e) => {
  const o = e.data;
  if ("begin" in o) begin(o.begin).catch((err) => report({ failed: String(err?.message ?? err) }));
  else if (ready) scope.arbiterConnect(o.door, o.port);
  else early.push([o.door, o.port]);
};
