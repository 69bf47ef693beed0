// The extension: it starts the language server, and offers what the program can do with the file that is open.
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { registerTests } from "./tests";
import { registerDebugger } from "./debug";
import { registerLenses } from "./lenses";
import { registerReplay } from "./replay";
import { program } from "./program";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  registerTests(context);
  registerDebugger(context);
  registerLenses(context);
  registerReplay(context);
  context.subscriptions.push(vscode.commands.registerCommand("arbiter.restart", start));
  context.subscriptions.push(vscode.workspace.onDidChangeConfiguration((e) => {
    if (e.affectsConfiguration("arbiter.path")) void start();
  }));
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function start(): Promise<void> {
  await client?.stop().catch(() => undefined);
  client = new LanguageClient("arbiter", "Arbiter", { command: program(), args: ["lsp"] }, { documentSelector: [{ language: "arbiter" }] });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const settings = "Settings";
    const chosen = await vscode.window.showErrorMessage(`${program()} cannot be started: ${error}. Install Arbiter, or set arbiter.path.`, settings);
    if (chosen === settings) await vscode.commands.executeCommand("workbench.action.openSettings", "arbiter.path");
  }
}
