// Tokenises every script of the repository by the grammar, as editors do: each word has a scope, what is reserved has
// that of a keyword wherever it stands, and no text or comment runs on to the end of a file.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const here = import.meta.dirname, root = path.resolve(here, "../../../../../..");
await oniguruma.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({ createOnigScanner: (p) => new oniguruma.OnigScanner(p), createOnigString: (s) => new oniguruma.OnigString(s) }),
  loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(path.join(here, "../syntaxes/arbiter.tmLanguage.json"), "utf8"), "arbiter.tmLanguage.json"),
});
const grammar = await registry.loadGrammar("source.arbiter");

// Words that cannot be names, so that they are keywords everywhere but after a dot and as the name of a step.
const reserved = new Set("when unless where and or not in then otherwise against with to from about along upon beside using into of over through avoiding".split(" "));
// Words with which a line begins that has nothing but a keyword's meaning.
const beginning = /^\s*(ruleset|encounter|tests|adventure|define|condition|feat|trait|procedure|action|reaction|override|extend|remove|let|set|step|test|expect|scene|needs|cost|cite)(?=\s+[A-Za-z"0-9])/;

let files = 0, words = 0;
const wrong = [];
function complain(file, line, text) { if (wrong.length < 40) wrong.push(`${path.relative(root, file)}:${line}: ${text}`); }

function check(file) {
  files++;
  let state = textmate.INITIAL;
  const lines = fs.readFileSync(file, "utf8").split(/\r?\n/);
  lines.forEach((line, i) => {
    const r = grammar.tokenizeLine(line, state, 2000);
    if (r.stoppedEarly) complain(file, i + 1, "took too long");
    state = r.ruleStack;
    for (const t of r.tokens) {
      const text = line.slice(t.startIndex, t.endIndex), scopes = t.scopes.join(" ");
      if (/string|comment|citation/.test(scopes) && !/interpolation/.test(scopes)) continue;
      for (const m of text.matchAll(/[A-Za-z][\w-]*/g)) {
        words++;
        const before = line.slice(0, t.startIndex + m.index);
        if (t.scopes.length < 2) complain(file, i + 1, `no scope: ${m[0]}`);
        else if (reserved.has(m[0]) && !/\.$|step\s+$/.test(before) && !/keyword/.test(scopes)) complain(file, i + 1, `${m[0]} is ${t.scopes.at(-1)}`);
      }
    }
    const m = beginning.exec(line);
    if (m) {
      const at = m[0].length - 1, t = r.tokens.find((t) => t.startIndex <= at && t.endIndex > at);
      if (t && !/keyword|string|comment/.test(t.scopes.join(" "))) complain(file, i + 1, `${m[1]} begins a line, and is ${t.scopes.at(-1)}`);
    }
  });
  const end = grammar.tokenizeLine("", state).tokens.at(-1)?.scopes.join(" ") ?? "";
  if (/string/.test(end)) complain(file, lines.length, "a text runs on to the end");
}

function walk(dir) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    const p = path.join(dir, e.name);
    if (e.isDirectory() && e.name !== "node_modules" && e.name !== "testdata" && !e.name.startsWith(".")) walk(p);
    else if (/\.(rules|encounter|adventure|tests)$/.test(e.name)) check(p);
  }
}
for (const dir of ["rules", "examples", "spec"]) walk(path.join(root, dir));
if (files < 500) wrong.push(`only ${files} files were found`);
console.log(`${files} scripts, ${words} words`);
if (wrong.length) {
  console.error(wrong.join("\n"));
  process.exit(1);
}
