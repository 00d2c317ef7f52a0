/** A thin client: it starts the server and passes on what the user asks for. */
import * as vscode from "vscode";
import { offerToAssistants } from "./assistants";
import { registerCommands } from "./commands";
import { offerInstall, offerUpdate } from "./install";
import { ReviewPanel } from "./review";
import { Server } from "./server";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const running = (server = new Server(context));
  const panel = new ReviewPanel();
  running.onPage = (page) => void panel.open(page);
  context.subscriptions.push(
    running,
    panel,
    ...registerCommands(context, running),
    ...offerToAssistants(running),
    vscode.workspace.onDidGrantWorkspaceTrust(() => begin(running)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("texgeist.server")) void begin(running);
      if (change.affectsConfiguration("texgeist.writer.provider")) void running.writerChanged();
    }),
  );
  await begin(running);
}

/** Starts the server; where there is none, offers to install it. */
async function begin(running: Server): Promise<void> {
  try {
    if (!(await running.start())) void offerInstall(running);
    else if (running.outdated) void offerUpdate(running);
  } catch (error) {
    running.log.error(String(error));
    const show = "Show the Log";
    const words = "texgeist's language server does not start.";
    void vscode.window.showErrorMessage(words, show).then((answer) => answer === show && running.log.show());
  }
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
