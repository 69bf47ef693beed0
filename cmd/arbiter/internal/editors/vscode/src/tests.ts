// The test explorer: the tests of .tests files, run by `arbiter test --json`.
import * as vscode from "vscode";
import { run } from "./program";

interface Place { file: string; line: number; column: number; endLine: number; endColumn: number; message: string; hint: string }
interface Result { line: number; title: string; passed: boolean; seconds: number; failures: Place[] }
interface Report { tests: Result[]; diagnostics: Place[] }

const pattern = /^test\s+"((?:[^"\\]|\\.)*)"/gm;

export function registerTests(context: vscode.ExtensionContext): void {
  const controller = vscode.tests.createTestController("arbiter", "Arbiter");
  context.subscriptions.push(controller);
  const find = (uri: vscode.Uri, text: string) => {
    const file = controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    const lines = text.split(/\r?\n/);
    lines.forEach((line, n) => {
      pattern.lastIndex = 0;
      const m = pattern.exec(line);
      if (!m) return;
      const item = controller.createTestItem(`${uri}#${m[1]}`, m[1].replace(/\\(.)/g, "$1"), uri);
      item.range = new vscode.Range(n, 0, n, line.length);
      file.children.add(item);
    });
    if (file.children.size > 0) controller.items.add(file);
    else controller.items.delete(file.id);
  };
  const read = async (uri: vscode.Uri) => find(uri, Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("utf8"));
  controller.resolveHandler = async (item) => {
    if (!item) for (const uri of await vscode.workspace.findFiles("**/*.tests", "**/node_modules/**")) await read(uri);
  };
  const watcher = vscode.workspace.createFileSystemWatcher("**/*.tests");
  context.subscriptions.push(watcher, watcher.onDidCreate(read), watcher.onDidChange(read), watcher.onDidDelete((uri) => controller.items.delete(uri.toString())));
  const opened = (d: vscode.TextDocument) => { if (d.fileName.endsWith(".tests")) find(d.uri, d.getText()); };
  vscode.workspace.textDocuments.forEach(opened);
  context.subscriptions.push(vscode.workspace.onDidOpenTextDocument(opened), vscode.workspace.onDidChangeTextDocument((e) => opened(e.document)));

  const go = async (request: vscode.TestRunRequest, token: vscode.CancellationToken) => {
    const session = controller.createTestRun(request);
    const files = new Map<string, { uri: vscode.Uri; items: vscode.TestItem[]; all: boolean }>();
    const include = (item: vscode.TestItem) => {
      if (!item.uri || request.exclude?.includes(item)) return;
      const whole = item.children.size > 0;
      const entry = files.get(item.uri.toString()) ?? { uri: item.uri, items: [], all: false };
      entry.all ||= whole;
      if (whole) item.children.forEach((child) => entry.items.push(child));
      else entry.items.push(item);
      files.set(item.uri.toString(), entry);
    };
    if (request.include) request.include.forEach(include);
    else controller.items.forEach(include);
    for (const f of files.values()) {
      if (token.isCancellationRequested) break;
      await vscode.workspace.textDocuments.find((d) => d.uri.toString() === f.uri.toString() && d.isDirty)?.save();
      f.items.forEach((item) => session.started(item));
      const args = ["test", "--json"];
      if (!f.all) args.push("--run", `^(${f.items.map((item) => item.label.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|")})$`);
      try {
        report(session, f.items, JSON.parse((await run([...args, f.uri.fsPath], f.uri.fsPath, token)).stdout) as Report);
      } catch (error) {
        f.items.forEach((item) => session.errored(item, new vscode.TestMessage(String(error))));
      }
    }
    session.end();
  };
  controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, go, true);
}

function report(session: vscode.TestRun, items: vscode.TestItem[], r: Report): void {
  for (const item of items) {
    const result = (r.tests ?? []).find((t) => t.title === item.label);
    if (!result) {
      session.errored(item, (r.diagnostics ?? []).map((d) => message(item, d)));
      continue;
    }
    const milliseconds = 1000 * result.seconds;
    if (result.passed) session.passed(item, milliseconds);
    else session.failed(item, result.failures.map((d) => message(item, d)), milliseconds);
  }
}

function message(item: vscode.TestItem, d: Place): vscode.TestMessage {
  const m = new vscode.TestMessage(d.hint ? `${d.message}\n${d.hint}` : d.message);
  if (item.uri) m.location = new vscode.Location(item.uri, new vscode.Range(Math.max(0, d.line - 1), Math.max(0, d.column - 1), Math.max(0, d.endLine - 1), Math.max(0, d.endColumn - 1)));
  return m;
}
