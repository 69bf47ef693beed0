// Runs the program.
import { execFile } from "node:child_process";
import * as path from "node:path";
import * as vscode from "vscode";

/** The program as the settings name it. */
export function program(): string {
  return vscode.workspace.getConfiguration("arbiter").get<string>("path") || "arbiter";
}

export interface Outcome { status: number; stdout: string; stderr: string }

/** Runs the program in the folder of a file; it is killed when the token is cancelled. It fails if there is no program. */
export function run(args: string[], file: string, token?: vscode.CancellationToken): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = execFile(program(), args, { cwd: path.dirname(file), maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number" && !error.killed) reject(error);
      else resolve({ status: error ? Number(error.code) : 0, stdout, stderr });
    });
    token?.onCancellationRequested(() => child.kill());
  });
}

/** Runs the program in a terminal, where one can type. */
export function inTerminal(name: string, args: string[], file: string): void {
  vscode.window.createTerminal({ name, cwd: path.dirname(file), shellPath: program(), shellArgs: args }).show();
}
