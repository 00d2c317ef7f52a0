/** Installs the language server into an environment of the extension's own, when the user says so. */
import * as fs from "node:fs";
import * as vscode from "vscode";
import { findPython, interpreterIn, ownEnvironment } from "./python";
import { run, Say } from "./run";
import { Server } from "./server";

const NO_PYTHON =
  "texgeist needs Python 3.11 or newer, and none was found. Install it from python.org or with your system's " +
  "packages (on Debian and Ubuntu: python3 and python3-venv), then try again.";
const WHAT =
  "texgeist needs its language server. Installing it downloads about 180 MB of Python packages and a 438 MB " +
  "embedding model into this extension's own storage, once. Nothing of yours is sent.";

export async function offerInstall(server: Server): Promise<void> {
  const answer = await vscode.window.showInformationMessage(WHAT, "Install", "Choose Python…");
  if (answer === "Install") await install(server);
  if (answer === "Choose Python…") await vscode.commands.executeCommand("workbench.action.openSettings", "texgeist.server");
}

/** Installs with progress and cancel, starts the server, and leaves nothing half-made when it fails. */
export async function install(server: Server): Promise<void> {
  const python = await findPython();
  if (!python) {
    const open = await vscode.window.showErrorMessage(NO_PYTHON, "Open python.org", "Try Again");
    if (open === "Open python.org") await vscode.env.openExternal(vscode.Uri.parse("https://www.python.org/downloads/"));
    if (open === "Try Again") await install(server);
    return;
  }
  const options = { location: vscode.ProgressLocation.Notification, title: "Installing texgeist", cancellable: true };
  await server.stop();
  try {
    await vscode.window.withProgress(options, (progress, token) =>
      installInto(server, python, (message) => progress.report({ message }), token),
    );
  } catch (error) {
    if (!(error instanceof vscode.CancellationError)) await complain(server, error);
    return;
  }
  if (await server.start()) void vscode.window.showInformationMessage("texgeist is ready. Open a .tex file and press Ctrl+. there.");
}

async function installInto(server: Server, python: string, say: Say, token: vscode.CancellationToken): Promise<void> {
  const environment = ownEnvironment(server.storage);
  const own = interpreterIn(environment);
  const what = vscode.workspace.getConfiguration("texgeist.server").get<string>("package") || "texgeist";
  const step = (program: string, args: string[], report: Say): Promise<void> => run(program, args, report, server.log, token);
  await fs.promises.mkdir(server.storage, { recursive: true });
  try {
    say("1 of 3: making an environment");
    await step(python, ["-m", "venv", "--clear", environment], () => undefined);
    say("2 of 3: downloading Python packages (about 180 MB)");
    const pip = ["-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off", "--no-input", what];
    await step(own, pip, (line) => say(`2 of 3: ${pipLine(line)}`));
  } catch (error) {
    await fs.promises.rm(environment, { recursive: true, force: true });
    throw error;
  }
  say("3 of 3: downloading the embedding model (438 MB, once)");
  await step(own, ["-P", "-m", "texgeist_server", "model", "fetch"], (line) => say(`3 of 3: ${line}`));
}

/** "Downloading numpy-2.3.5-….whl (16.6 MB)" is worth showing; the rest of pip's talk is not. */
function pipLine(line: string): string {
  const [, verb, what, size] = /^\s*(Downloading|Collecting)\s+([A-Za-z0-9_.]+)\S*(\s+\([^)]*\))?/.exec(line) ?? [];
  if (line.startsWith("Installing collected")) return "installing them (700 MB on disk)";
  return verb ? `${verb.toLowerCase()} ${what?.replace(/-.*/, "")}${size ?? ""}` : "downloading Python packages (about 180 MB)";
}

async function complain(server: Server, error: unknown): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  server.log.error(reason);
  const last = reason.trim().split("\n").at(-1) ?? reason;
  const answer = await vscode.window.showErrorMessage(`texgeist could not be installed: ${last}`, "Show the Log", "Try Again");
  if (answer === "Show the Log") server.log.show();
  if (answer === "Try Again") await install(server);
}
