/** Papers for the user's own library, taken in by the server's own program. */
import * as path from "node:path";
import * as vscode from "vscode";
import { Failed, run } from "./run";
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

/** The line that says what became of a source. */
const SUMMARY = /: [\d,.]+ read, .* in [\d,.]+ s(;|$)/;
const FETCH = "Fetch Abstracts";
/** The exit code of `index add` when the papers were added and no service answered. */
const NO_ANSWER = 6;

/** What was taken in. Where entries have no abstract, those may be asked for, which sends something. */
async function told(server: Server, sources: readonly string[], online: boolean, words: string): Promise<void> {
  const without = !online && words.includes("can be found only by");
  const asks = " arXiv, Crossref and OpenAlex may have the abstracts; ids and titles of these entries would be sent there.";
  const message = `texgeist: ${words || "The papers are in the library."}${without ? asks : ""}`;
  const picked = await vscode.window.showInformationMessage(message, ...(without ? [FETCH] : []));
  if (picked === FETCH) await addToLibrary(server, sources, true);
}

/** `sources` as `texgeist index add` takes them: whole paths, or a word such as "zotero". `online`: abstracts are asked
 * for where entries have none. Whether they are in. */
export async function addToLibrary(server: Server, sources: readonly string[], online = false): Promise<boolean> {
  const command = server.command;
  if (!command) {
    await vscode.commands.executeCommand("texgeist.install");
    return false;
  }
  const options = { location: vscode.ProgressLocation.Notification, title: "texgeist: adding to the library", cancellable: true };
  const args = [...command.args.slice(0, -1), "index", "add", "--index", "library", ...(online ? ["--online"] : []), ...sources];
  let summary = "";
  try {
    await vscode.window.withProgress(options, (progress, token) => {
      progress.report({ message: `${sources.map((source) => path.basename(source)).join(", ")}, a few papers a second` });
      return run(command.program, args, (line) => {
        if (SUMMARY.test(line)) summary = line;
        progress.report({ message: line });
      }, server.log, token);
    });
    void told(server, sources, online, summary);
    return true;
  } catch (error) {
    if (error instanceof Failed && error.code === NO_ANSWER && summary) {
      void vscode.window.showWarningMessage(`texgeist: ${summary} No service answered: the abstracts are missing. Try again later.`);
      return true;
    }
    if (!(error instanceof vscode.CancellationError)) throw error;
    void vscode.window.showInformationMessage("texgeist: stopped. The papers added so far stay in the library.");
    return false;
  }
}
