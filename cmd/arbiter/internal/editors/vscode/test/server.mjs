// Talks to `arbiter lsp` through the protocol layer of vscode-languageclient, as the extension does, and compares the
// grammar's classes with the server's semantic tokens. Arguments: the program, and scripts to compare.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
const require = createRequire(import.meta.url);
const lsp = require("vscode-languageserver-protocol/node");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const [program, ...scripts] = process.argv.slice(2);
const server = spawn(program, ["lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const c = lsp.createProtocolConnection(new lsp.StreamMessageReader(server.stdout), new lsp.StreamMessageWriter(server.stdin));
let refreshed = 0;
c.onRequest(lsp.DiagnosticRefreshRequest.type, () => { refreshed++; });
c.onRequest(lsp.InlayHintRefreshRequest.type, () => {});
c.onRequest(lsp.CodeLensRefreshRequest.type, () => {});
c.onRequest(lsp.SemanticTokensRefreshRequest.type, () => {});
c.onRequest(lsp.WorkDoneProgressCreateRequest.type, () => {});
let told = 0;
c.onNotification(lsp.PublishDiagnosticsNotification.type, () => { told++; });
c.listen();

const { capabilities } = await c.sendRequest(lsp.InitializeRequest.type, {
  processId: process.pid, rootUri: null, workspaceFolders: null,
  capabilities: {
    textDocument: { diagnostic: { relatedDocumentSupport: true }, codeAction: { resolveSupport: { properties: ["edit"] }, dataSupport: true }, semanticTokens: { requests: { full: { delta: true } }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] } },
    workspace: { diagnostics: { refreshSupport: true }, inlayHint: { refreshSupport: true }, codeLens: { refreshSupport: true }, semanticTokens: { refreshSupport: true }, workspaceEdit: { documentChanges: true, resourceOperations: ["create"] } },
    window: { workDoneProgress: true },
  },
});
await c.sendNotification(lsp.InitializedNotification.type, {});
assert.equal(capabilities.textDocumentSync.change, lsp.TextDocumentSyncKind.Incremental);

// One encounter, and everything that is asked of it.
const uri = "untitled:yard.encounter";
const text = `encounter "The yard" with srd35
creature soldier { base-attack: 3; strength: 14; main-weapon: longsword }
feat grim "Strikes harder." { +1 morale to attack-bonus when 2 * hit-points <= max-hit-points }
side us { soldier Alia }
side them { soldier Bron { worn-armor: chain-shirt } }
Alia: strike Bron with longsword
define blast = 3d6 + 1d8
`;
const at = (needle, inside = 0) => {
  const before = text.slice(0, text.indexOf(needle) + inside).split("\n");
  return { line: before.length - 1, character: before.at(-1).length };
};
const textDocument = { uri };
await c.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: "arbiter", version: 1, text } });
const diagnosed = await c.sendRequest(lsp.DocumentDiagnosticRequest.type, { textDocument });
assert.equal(diagnosed.kind, "full");
assert.deepEqual(diagnosed.items.map((x) => x.severity), [2, 2]); // what nothing uses

const hover = await c.sendRequest(lsp.HoverRequest.type, { textDocument, position: at("attack-bonus", 3) });
assert.match(hover.contents.value, /attack-bonus/);
const help = await c.sendRequest(lsp.SignatureHelpRequest.type, { textDocument, position: at("with longsword", 8) });
assert.match(help.signatures[help.activeSignature].label, /^strike target/);
const range = { start: { line: 0, character: 0 }, end: { line: 7, character: 0 } };
const hints = await c.sendRequest(lsp.InlayHintRequest.type, { textDocument, range });
assert.deepEqual(hints.map((h) => h.label), ["Alia 5, Bron 5", "to-hit 60 %, confirmation 60 %", "average 10.5"]);
const lenses = await c.sendRequest(lsp.CodeLensRequest.type, { textDocument });
const lens = await c.sendRequest(lsp.CodeLensResolveRequest.type, lenses[0]);
assert.match(lens.command.title, /^to-hit 60 %/);
const [item] = await c.sendRequest(lsp.CallHierarchyPrepareRequest.type, { textDocument, position: at("strike Bron", 2) });
const calls = await c.sendRequest(lsp.CallHierarchyIncomingCallsRequest.type, { item, workDoneToken: "calls" });
assert.ok(calls.length > 3);
const [selection] = await c.sendRequest(lsp.SelectionRangeRequest.type, { textDocument, positions: [at("hit-points <=", 2)] });
assert.ok(selection.parent.parent);
const expression = { start: at("2 * hit-points"), end: at("max-hit-points", "max-hit-points".length) };
const [action] = await c.sendRequest(lsp.CodeActionRequest.type, { textDocument, range: expression, context: { diagnostics: [], only: ["refactor"] } });
const resolved = await c.sendRequest(lsp.CodeActionResolveRequest.type, action);
assert.match(resolved.edit.changes[uri][0].newText, /^define creature.extracted = /);

const full = await c.sendRequest(lsp.SemanticTokensRequest.type, { textDocument });
await c.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: 2 }, contentChanges: [{ range: { start: at("Alia: strike"), end: at("Alia: strike", 4) }, text: "Alja" }] });
const delta = await c.sendRequest(lsp.SemanticTokensDeltaRequest.type, { textDocument, previousResultId: full.resultId });
assert.ok(delta.edits.length <= 1);
const mistakes = await c.sendRequest(lsp.DocumentDiagnosticRequest.type, { textDocument, previousResultId: diagnosed.resultId });
assert.ok(mistakes.items.some((x) => x.severity === 1));
assert.equal(told, 0, "diagnostics are told, too");

// The grammar's classes.
await oniguruma.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({ createOnigScanner: (p) => new oniguruma.OnigScanner(p), createOnigString: (s) => new oniguruma.OnigString(s) }),
  loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(path.join(import.meta.dirname, "../syntaxes/arbiter.tmLanguage.json"), "utf8"), "arbiter.tmLanguage.json"),
});
const grammar = await registry.loadGrammar("source.arbiter");
const types = capabilities.semanticTokensProvider.legend.tokenTypes;
const same = { comment: /comment/, string: /string/, number: /numeric|citation|string/, keyword: /keyword|operator|constant\.language|variable\.language/ };
let tokens = 0;
const counts = {};
const wrong = [];
for (const file of scripts) {
  const lines = fs.readFileSync(file, "utf8").split("\n");
  const document = { uri: pathToFileURL(file).href };
  await c.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: { ...document, languageId: "arbiter", version: 1, text: lines.join("\n") } });
  const { data } = await c.sendRequest(lsp.SemanticTokensRequest.type, { textDocument: document });
  await c.sendNotification(lsp.DidCloseTextDocumentNotification.type, { textDocument: document });
  let state = textmate.INITIAL;
  const scopes = lines.map((line) => { const r = grammar.tokenizeLine(line, state); state = r.ruleStack; return r.tokens; });
  let line = 0, character = 0;
  for (let i = 0; i < data.length; i += 5) {
    if (data[i]) { line += data[i]; character = 0; }
    character += data[i + 1];
    const type = types[data[i + 3]], scope = scopes[line].find((t) => t.startIndex <= character && t.endIndex > character)?.scopes.join(" ") ?? "";
    const fits = same[type] ? same[type].test(scope) : !/comment|string/.test(scope);
    counts[type] ??= [0, 0];
    counts[type][0]++;
    tokens++;
    if (!fits) { counts[type][1]++; wrong.push(`${path.basename(file)}:${line + 1}:${character + 1}: ${lines[line].slice(character, character + data[i + 2])} is ${type} to the server, and ${scope} to the grammar`); }
  }
}
// Which words are words of the language depends on what is declared, which a grammar cannot know: it may err there.
for (const [type, [of, not]] of Object.entries(counts)) {
  const most = type === "keyword" ? 0.02 : 0;
  if (not > most * of) { console.error(`${not} of ${of} tokens of type ${type} differ:\n${wrong.filter((w) => w.includes(` is ${type} `)).slice(0, 15).join("\n")}`); process.exitCode = 1; }
}
console.log(`${tokens} tokens of ${scripts.length} scripts, ${wrong.length} of another class`);
if (scripts.length && tokens < 1000) throw new Error("too few tokens");

await c.sendRequest(lsp.ShutdownRequest.type);
await c.sendNotification(lsp.ExitNotification.type);
const code = await new Promise((done) => server.on("exit", done));
assert.equal(code, 0);
