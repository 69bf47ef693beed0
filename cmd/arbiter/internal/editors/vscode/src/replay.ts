// The view of a replay: the page that `arbiter run --html` writes.
import * as fs from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { run } from "./program";

export function registerReplay(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.commands.registerCommand("arbiter.replay", async (uri?: vscode.Uri) => {
    const document = uri ? await vscode.workspace.openTextDocument(uri) : vscode.window.activeTextEditor?.document;
    if (document?.languageId !== "arbiter" || document.isUntitled) return;
    if (document.isDirty) await document.save();
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), "arbiter-"));
    try {
      const page = path.join(folder, "replay.html");
      const outcome = await run(["run", document.fileName, "--html", page], document.fileName);
      const html = await fs.readFile(page, "utf8").catch(() => undefined);
      if (html === undefined) {
        void vscode.window.showErrorMessage(outcome.stderr.trim().split("\n")[0] || "There is nothing to replay.");
        return;
      }
      const panel = vscode.window.createWebviewPanel("arbiter.replay", path.basename(document.fileName), vscode.ViewColumn.Beside, { enableScripts: true, localResourceRoots: [] });
      panel.webview.html = html;
    } catch (error) {
      void vscode.window.showErrorMessage(String(error));
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  }));
}
