// Lenses above the header of a script, and the commands behind them.
import * as vscode from "vscode";
import { inTerminal } from "./program";

export function registerLenses(context: vscode.ExtensionContext): void {
  const command = (name: string, run: (file: string) => void) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, async (uri?: vscode.Uri) => {
      const document = uri ? await vscode.workspace.openTextDocument(uri) : vscode.window.activeTextEditor?.document;
      if (document?.languageId !== "arbiter" || document.isUntitled) {
        void vscode.window.showInformationMessage("Open a script of Arbiter, and save it.");
        return;
      }
      if (document.isDirty) await document.save();
      run(document.fileName);
    }));
  command("arbiter.run", (file) => inTerminal("run", file.endsWith(".tests") ? ["test", "-v", file] : ["run", file], file));
  command("arbiter.play", (file) => inTerminal("play", ["play", file], file));
  command("arbiter.sim", (file) => inTerminal("simulate", ["sim", file, "-n", String(vscode.workspace.getConfiguration("arbiter").get("simulatedFights"))], file));

  context.subscriptions.push(vscode.languages.registerCodeLensProvider({ language: "arbiter" }, {
    provideCodeLenses(document) {
      if (!vscode.workspace.getConfiguration("arbiter").get("codeLens")) return [];
      for (let n = 0; n < Math.min(document.lineCount, 200); n++) {
        const word = /^\s*(encounter|adventure|tests)\b/.exec(document.lineAt(n).text)?.[1];
        if (!word) continue;
        const at = document.lineAt(n).range;
        const lens = (title: string, name: string) => new vscode.CodeLens(at, { title, command: name, arguments: [document.uri] });
        if (word === "tests") return [lens("run all", "arbiter.run")];
        if (word === "adventure") return [lens("play", "arbiter.play")];
        return [lens("run", "arbiter.run"), lens("play", "arbiter.play"), lens("simulate", "arbiter.sim"), lens("replay", "arbiter.replay")];
      }
      return [];
    },
  }));
}
