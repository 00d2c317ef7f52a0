/** Installs the language server into an environment of the extension's own, when the user says so: the wheel that
 * this extension brings, and the libraries that it names by version and hash. Nothing else is ever run. */
import * as fs from "node:fs";
import * as vscode from "vscode";
import { alone } from "./alone";
import { Bundle, declareWhole, downloadsIn, environmentFor, isUsed, isWhole, removeOthers } from "./environment";
import { follower, librariesOf, ourselves, reasonIn } from "./pip";
import { findPython, hasServer, interpreterIn } from "./python";
import { Failed, run, Say } from "./run";
import { Server } from "./server";

const NO_PYTHON =
  "texgeist needs Python 3.11 to 3.14, and none was found. Install it from python.org or with your system's " +
  "packages (on Debian and Ubuntu: python3 and python3-venv), then try again.";
const IN_USE = "Another window runs from the same environment: close that window and try again.";
const WHAT =
  "texgeist needs its language server. Installing it downloads about 160 MB of Python packages and a 438 MB " +
  "embedding model, once. Nothing of yours is sent.";
const NEWER = "texgeist was updated, and its language server was not yet: it takes about 160 MB of downloads. Until then the old one serves.";

export async function offerInstall(server: Server): Promise<void> {
  const answer = await vscode.window.showInformationMessage(WHAT, "Install", "Choose Python…");
  if (answer === "Install") await install(server);
  if (answer === "Choose Python…") await vscode.commands.executeCommand("workbench.action.openSettings", "texgeist.server");
}

/** After an update of the extension: the server that it brings, when the user says so. */
export async function offerUpdate(server: Server): Promise<void> {
  if ((await vscode.window.showInformationMessage(NEWER, "Update")) === "Update") await install(server);
}

/** Installs with progress and cancel, and starts the server. What was done already is not done twice. */
export async function install(server: Server): Promise<void> {
  const python = await findPython();
  if (python === undefined && !(await isThere(server))) {
    const open = await vscode.window.showErrorMessage(NO_PYTHON, "Open python.org", "Try Again");
    if (open === "Open python.org") await vscode.env.openExternal(vscode.Uri.parse("https://www.python.org/downloads/"));
    if (open === "Try Again") await install(server);
    return;
  }
  const options = { location: vscode.ProgressLocation.Notification, title: "Installing texgeist", cancellable: true };
  try {
    await vscode.window.withProgress(options, async (progress, token) => {
      const say = (message: string): void => progress.report({ message });
      const waits = (): void => say("another window is installing it");
      const done = await alone(server.storage, token, waits, () => installInto(server, python, say, token));
      if (!done) throw new vscode.CancellationError();
    });
  } catch (error) {
    return goOn(server, error);
  }
  if (await server.start()) void vscode.window.showInformationMessage("texgeist is ready. Open a .tex file and press Ctrl+. there.");
}

/** Whether the environment for this extension's server was made whole, and still starts; one that is slow today is. */
async function isThere(server: Server): Promise<boolean> {
  const environment = environmentFor(server.storage, server.bundle);
  return isWhole(environment) && hasServer(interpreterIn(environment), true);
}

async function installInto(server: Server, python: string | undefined, say: Say, token: vscode.CancellationToken): Promise<void> {
  const environment = environmentFor(server.storage, server.bundle);
  const step = (program: string, args: string[], report: Say): Promise<void> =>
    run(program, args, report, server.log, token, server.storage);
  if (!(await isThere(server))) {
    if (python === undefined) throw new Error(NO_PYTHON);
    if (isUsed(environment)) throw new Error(IN_USE);
    try {
      say("1 of 3: making an environment");
      await step(python, ["-I", "-m", "venv", "--clear", environment], () => undefined);
      await libraries(environment, server, server.bundle, say, step);
    } catch (error) {
      await fs.promises.rm(environment, { recursive: true, force: true });
      throw error;
    }
    declareWhole(environment);
    await server.stop(); // the old one may run from what is removed now
    await removeOthers(server.storage, environment);
  }
  say("3 of 3: the embedding model (438 MB, once)");
  await step(interpreterIn(environment), ["-I", "-m", "texgeist_server", "model", "fetch"], (line) => say(`3 of 3: ${line}`));
}

async function libraries(
  environment: string,
  server: Server,
  bundle: Bundle,
  say: Say,
  step: (program: string, args: string[], report: Say) => Promise<void>,
): Promise<void> {
  const own = interpreterIn(environment);
  const tell = follower(bundle.count);
  say("2 of 3: Python packages (160 MB)");
  await step(own, librariesOf(bundle.requirements, downloadsIn(server.storage)), (line) => {
    const words = tell(line);
    if (words) say(`2 of 3: Python packages (160 MB): ${words}`);
  });
  await step(own, ourselves(bundle.wheel), () => undefined);
}

/** What is said when it did not end well: always a sentence, and a button that goes on from there. */
async function goOn(server: Server, error: unknown): Promise<void> {
  if (error instanceof vscode.CancellationError) {
    const words = "texgeist is not installed yet. What was downloaded is kept.";
    if ((await vscode.window.showInformationMessage(words, "Go On")) === "Go On") await install(server);
    return;
  }
  const reason = error instanceof Error ? error.message : String(error);
  server.log.error(reason);
  const known = error instanceof Failed ? reasonIn(error.lines) : undefined;
  const words = known ?? reason.trim().split("\n").at(-1) ?? reason;
  const answer = await vscode.window.showErrorMessage(`texgeist could not be installed: ${words}`, "Try Again", "Show the Log");
  if (answer === "Show the Log") server.log.show();
  if (answer === "Try Again") await install(server);
}
