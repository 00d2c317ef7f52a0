/** Tells the editor's assistants of `texgeist mcp`, where the editor knows such servers (VS Code 1.101 on). */
import * as vscode from "vscode";
import { Server } from "./server";

interface Provider {
  readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
  provideMcpServerDefinitions(): unknown[];
}
type Register = (id: string, provider: Provider) => vscode.Disposable;
type Definition = new (label: string, command: string, args: string[]) => unknown;

export function offerToAssistants(server: Server): vscode.Disposable[] {
  const register = (vscode as unknown as { lm?: { registerMcpServerDefinitionProvider?: Register } }).lm?.registerMcpServerDefinitionProvider;
  const Stdio = (vscode as unknown as { McpStdioServerDefinition?: Definition }).McpStdioServerDefinition;
  if (!register || !Stdio) return [];
  const provider: Provider = {
    onDidChangeMcpServerDefinitions: server.onFound,
    provideMcpServerDefinitions: () => {
      const command = vscode.workspace.isTrusted ? server.command : undefined;
      if (!command || command.args.at(-1) !== "lsp") return []; // a command of the user's own may be anything
      return [new Stdio("texgeist", command.program, [...command.args.slice(0, -1), "mcp"])];
    },
  };
  try {
    return [register("texgeist", provider)];
  } catch (error) {
    server.log.info(`texgeist could not be offered to the editor's assistants: ${String(error)}`); // a proposal in VS Code 1.100
    return [];
  }
}
