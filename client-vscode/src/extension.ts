/** A thin client: it starts the server and passes on what the user asks for. */
import * as vscode from "vscode";
import { registerCommands } from "./commands";
import { offerInstall } from "./install";
import { Server } from "./server";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  server = new Server(context);
  context.subscriptions.push(server, ...registerCommands(context, server));
  context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(() => server?.start()));
  if (!(await server.start())) void offerInstall(server);
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
