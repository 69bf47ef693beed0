// Carries out what the extension does apart from the language server, with the program itself and, in place of the
// editor, the few things of its interface that are used: the test explorer, the lenses and their commands, the debugger
// and the view of a replay. Argument: the program.
import assert from "node:assert/strict";
import fs from "node:fs";
import Module, { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
const require = createRequire(import.meta.url);
const program = process.argv[2];

// The editor.
class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range { constructor(a, b, c, d) { this.start = new Position(a, b); this.end = new Position(c, d); } }
class Uri { constructor(fsPath) { this.fsPath = fsPath; } toString() { return "file://" + this.fsPath; } }
const noEvent = () => ({ dispose() {} });
const commands = new Map(), lensProviders = [], terminals = [], panels = [], shown = [];
let adapters, configurations, controller, changedDocument = noEvent;
const items = () => {
  const list = new Map();
  return { add: (x) => list.set(x.id, x), delete: (id) => list.delete(id), forEach: (f) => list.forEach(f), get: (id) => list.get(id), get size() { return list.size; } };
};
const documentOf = (uri) => {
  const text = fs.readFileSync(uri.fsPath, "utf8"), lines = text.split("\n");
  return { uri, fileName: uri.fsPath, languageId: "arbiter", isDirty: false, isUntitled: false, lineCount: lines.length, getText: () => text, lineAt: (n) => ({ text: lines[n], range: new Range(n, 0, n, lines[n].length) }) };
};
const vscode = {
  Position, Range, Uri, ViewColumn: { Beside: -2 }, TestRunProfileKind: { Run: 1 },
  Location: class { constructor(uri, range) { Object.assign(this, { uri, range }); } },
  CodeLens: class { constructor(range, command) { Object.assign(this, { range, command }); } },
  TestMessage: class { constructor(text) { this.message = text; } },
  DebugAdapterExecutable: class { constructor(command, args) { Object.assign(this, { command, args }); } },
  DebugAdapterServer: class { constructor(port, host) { Object.assign(this, { port, host }); } },
  workspace: {
    textDocuments: [],
    getConfiguration: () => ({ get: (key) => ({ path: program, codeLens: true, simulatedFights: 25 })[key] }),
    asRelativePath: (uri) => path.basename(uri.fsPath),
    fs: { readFile: async (uri) => fs.readFileSync(uri.fsPath) },
    findFiles: async () => fs.readdirSync(folder).filter((name) => name.endsWith(".tests")).map((name) => new Uri(path.join(folder, name))),
    createFileSystemWatcher: () => ({ onDidCreate: noEvent, onDidChange: noEvent, onDidDelete: noEvent, dispose() {} }),
    onDidOpenTextDocument: noEvent,
    onDidChangeTextDocument: (f) => { changedDocument = f; return noEvent(); },
    openTextDocument: async (uri) => documentOf(uri),
  },
  window: {
    createTerminal: (o) => { terminals.push(o); return { show() {} }; },
    createWebviewPanel: (type, title) => { const p = { type, title, webview: {} }; panels.push(p); return p; },
    showErrorMessage: (text) => shown.push(text), showInformationMessage: (text) => shown.push(text),
  },
  commands: { registerCommand: (name, f) => { commands.set(name, f); return noEvent(); } },
  languages: { registerCodeLensProvider: (_, p) => { lensProviders.push(p); return noEvent(); } },
  debug: {
    registerDebugAdapterDescriptorFactory: (_, f) => { adapters = f; return noEvent(); },
    registerDebugConfigurationProvider: (_, p) => { configurations = p; return noEvent(); },
  },
  tests: {
    createTestController: () => (controller = {
      items: items(), createTestItem: (id, label, uri) => ({ id, label, uri, children: items() }),
      createRunProfile: (name, kind, run) => { controller.run = run; },
      createTestRun: () => (controller.last = { results: [], ended: false,
        started() {}, end() { this.ended = true; },
        passed(item) { this.results.push([item.label, "passed"]); },
        failed(item, messages) { this.results.push([item.label, "failed", messages[0].message, messages[0].location.range.start.line]); },
        errored(item, messages) { this.results.push([item.label, "errored", [messages].flat()[0].message]); } }),
    }),
  },
};

// Its parts, bundled as they are for the editor.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "arbiter-extension-"));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
const bundle = path.join(folder, "parts.cjs");
await build({
  stdin: { contents: 'export * from "./tests"; export * from "./lenses"; export * from "./debug"; export * from "./replay";', resolveDir: path.join(import.meta.dirname, "../src"), loader: "ts" },
  bundle: true, platform: "node", format: "cjs", external: ["vscode"], outfile: bundle, logLevel: "error",
});
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const parts = require(bundle);
const context = { subscriptions: [] };
parts.registerTests(context);
parts.registerLenses(context);
parts.registerDebugger(context);
parts.registerReplay(context);

const write = (name, text) => { const uri = new Uri(path.join(folder, name)); fs.writeFileSync(uri.fsPath, text); return uri; };
const side = "  side us { soldier Alia }\n";
const tests = write("yard.tests", `tests "yard" with srd35\ncreature soldier { strength: 14; main-weapon: longsword }\ntest "strong (14)" {\n${side}  expect Alia.strength = 14\n}\ntest "weak" {\n${side}  expect Alia.strength = 8\n}\n`);
const broken = write("broken.tests", 'tests "broken" with srd35\ntest "none" {\n  expect no-such-thing = 1\n}\n');
const fight = write("yard.encounter", 'encounter "yard" with srd35\ncreature soldier { main-weapon: longsword }\nside us { soldier Alia }\nside them { soldier Bron }\nAlia: strike Bron with longsword\n');

// The test explorer finds the tests, runs them, and shows where one fails.
await controller.resolveHandler(undefined);
const found = controller.items.get(tests.toString());
const labels = [];
found.children.forEach((x) => labels.push(x.label));
assert.deepEqual(labels, ["strong (14)", "weak"]);
const token = { isCancellationRequested: false, onCancellationRequested: noEvent };
await controller.run({ include: [found] }, token);
assert.deepEqual(controller.last.results.map((r) => r.slice(0, 2)), [["strong (14)", "passed"], ["weak", "failed"]]);
assert.match(controller.last.results[1][2], /14/);
assert.equal(controller.last.results[1][3], 8);
assert.ok(controller.last.ended);
await controller.run({ include: [found.children.get(`${tests}#strong (14)`)] }, token); // one alone, whose name has parentheses
assert.deepEqual(controller.last.results, [["strong (14)", "passed"]]);
await controller.run({ include: [controller.items.get(broken.toString())] }, token);
assert.equal(controller.last.results[0][1], "errored");
assert.match(controller.last.results[0][2], /no-such-thing/);
await controller.run({ include: undefined, exclude: [controller.items.get(broken.toString())] }, token);
assert.equal(controller.last.results.length, 2);
fs.writeFileSync(tests.fsPath, 'tests "yard" with srd35\ntest "one" { }\n'); // what is typed is found as well
changedDocument({ document: documentOf(tests) });
assert.equal(controller.items.get(tests.toString()).children.size, 1);

// The lenses of each kind of file, and what they do.
const lenses = (uri) => lensProviders[0].provideCodeLenses(documentOf(uri)).map((x) => [x.command.title, x.command.command]);
assert.deepEqual(lenses(fight), [["run", "arbiter.run"], ["play", "arbiter.play"], ["simulate", "arbiter.sim"], ["replay", "arbiter.replay"]]);
assert.deepEqual(lenses(tests), [["run all", "arbiter.run"]]);
assert.deepEqual(lenses(write("tale.adventure", 'adventure "tale" with srd35\n')), [["play", "arbiter.play"]]);
assert.deepEqual(lenses(write("house.rules", "ruleset house extends srd35\n")), []);
for (const name of ["arbiter.run", "arbiter.play", "arbiter.sim"]) await commands.get(name)(fight);
await commands.get("arbiter.run")(tests);
assert.deepEqual(terminals.map((x) => x.shellArgs.slice(0, -1).concat(path.basename(x.shellArgs.at(-1)))),
  [["run", "yard.encounter"], ["play", "yard.encounter"], ["sim", fight.fsPath, "-n", "25"], ["test", "-v", "yard.tests"]]);
assert.ok(terminals.every((x) => x.shellPath === program && x.cwd === folder));

// A replay is a page; a script with mistakes has none, and the editor says why.
await commands.get("arbiter.replay")(fight);
assert.equal(panels.length, 1);
assert.match(panels[0].webview.html, /<html[^]*Alia[^]*<\/html>/);
await commands.get("arbiter.replay")(write("wrong.encounter", 'encounter "wrong" with nothing-like-it\n'));
assert.equal(panels.length, 1);
assert.match(shown.at(-1), /nothing-like-it/);

// The debugger is started, or joined, and starts without a configuration with the file that is open.
const start = adapters.createDebugAdapterDescriptor({ configuration: { request: "launch" } });
assert.deepEqual([start.command, start.args], [program, ["debug"]]);
const join = adapters.createDebugAdapterDescriptor({ configuration: { request: "attach", port: 4711 } });
assert.deepEqual([join.port, join.host], [4711, "127.0.0.1"]);
vscode.window.activeTextEditor = { document: documentOf(fight) };
assert.equal(configurations.resolveDebugConfiguration(undefined, {}).program, fight.fsPath);
vscode.window.activeTextEditor = undefined;
assert.equal(configurations.resolveDebugConfiguration(undefined, {}), undefined);
