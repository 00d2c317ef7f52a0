/** Offers to install the language server, and says what that downloads. */
import * as vscode from "vscode";
import { installServer } from "./python";
import { Server } from "./server";

export async function offerInstall(server: Server): Promise<void> {
  if (!vscode.workspace.isTrusted) return;
  const install = "Install";
  const answer = await vscode.window.showInformationMessage(
    "texgeist needs its language server. Installing it downloads about 250 MB of Python packages and a 438 MB " +
      "embedding model into this extension's own storage. Nothing of yours is sent.",
    install,
  );
  if (answer === install) await runInstall(server);
}

async function runInstall(server: Server): Promise<void> {
  const options = { location: vscode.ProgressLocation.Notification, title: "Installing texgeist" };
  try {
    await vscode.window.withProgress(options, (progress) => installServer(server.storage, progress));
    await server.start();
    void vscode.window.showInformationMessage("texgeist is ready. Open a .tex file and ask for code actions.");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    server.log.error(reason);
    const show = await vscode.window.showErrorMessage(`texgeist could not be installed: ${firstLine(reason)}`, "Show the Log");
    if (show) server.log.show();
  }
}

const firstLine = (text: string): string => text.trim().split("\n").at(-1) ?? text;
