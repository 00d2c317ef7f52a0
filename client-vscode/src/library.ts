/** Papers for the user's own library, taken in by the server's own program. */
import * as path from "node:path";
import * as vscode from "vscode";
import { run } from "./run";
import { Server } from "./server";

/** Asks for bibliographies and takes their papers in. Whether there were any. */
export async function addBibliographies(server: Server): Promise<boolean> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectMany: true,
    filters: { "Bibliographies": ["bib"], "Records": ["jsonl", "json", "gz"] },
    openLabel: "Add to the Library",
    title: "Bibliographies whose entries have abstracts",
  });
  return chosen ? addToLibrary(server, chosen.map(({ fsPath }) => fsPath)) : false;
}

/** `sources` as `texgeist index add` takes them: whole paths, or a word such as "zotero". Whether they are in. */
export async function addToLibrary(server: Server, sources: readonly string[]): Promise<boolean> {
  const command = server.command;
  if (!command) {
    await vscode.commands.executeCommand("texgeist.install");
    return false;
  }
  const options = { location: vscode.ProgressLocation.Notification, title: "texgeist: adding to the library", cancellable: true };
  const args = [...command.args.slice(0, -1), "index", "add", "--index", "library", ...sources];
  let last = "";
  try {
    await vscode.window.withProgress(options, (progress, token) => {
      progress.report({ message: `${sources.map((source) => path.basename(source)).join(", ")}, a few papers a second` });
      return run(command.program, args, (line) => progress.report({ message: (last = line) }), server.log, token);
    });
    void vscode.window.showInformationMessage(`texgeist: ${last || "The papers are in the library."}`);
    return true;
  } catch (error) {
    if (!(error instanceof vscode.CancellationError)) throw error;
    void vscode.window.showInformationMessage("texgeist: stopped; what was added stays.");
    return false;
  }
}
