// The debugger: `arbiter debug` speaks the Debug Adapter Protocol.
import * as vscode from "vscode";
import { program } from "./program";

export function registerDebugger(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory("arbiter", {
    createDebugAdapterDescriptor(session): vscode.DebugAdapterDescriptor {
      const c = session.configuration;
      if (c.request === "attach") return new vscode.DebugAdapterServer(c.port, c.host || "127.0.0.1");
      return new vscode.DebugAdapterExecutable(program(), ["debug"]);
    },
  }));
  context.subscriptions.push(vscode.debug.registerDebugConfigurationProvider("arbiter", {
    resolveDebugConfiguration(_folder, c) {
      if (c.type) return c;
      const file = vscode.window.activeTextEditor?.document; // F5 without a configuration
      if (file?.languageId !== "arbiter") return undefined;
      return { type: "arbiter", request: "launch", name: "Debug this script", program: file.fileName };
    },
  }));
}
