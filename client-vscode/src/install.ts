/** Installs the language server into an environment of the extension's own, when the user says so: the wheel that
 * this extension brings, and the libraries that it names by version and hash, by uv. Where there is no uv, pip fetches the
 * one that the extension names. Nothing else is ever run. */
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { alone } from "./alone";
import { declareWhole, downloadsIn, environmentFor, isUsed, isWhole, removeOthers } from "./environment";
import { findPython, findUv, hasServer, interpreterIn, programIn, Uv } from "./python";
import { Failed, run, Say } from "./run";
import { Server } from "./server";
import { byPip, librariesInto, ourselvesInto, progressIn, PYTHONS, reasonIn, settingsFrom } from "./uv";

const NO_PYTHON =
  "there is neither uv nor a Python of 3.11 to 3.14 here. Install Python from python.org or with your system's packages " +
  "(on Debian and Ubuntu: python3 and python3-venv), then try again.";
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
  const options = { location: vscode.ProgressLocation.Notification, title: "Installing texgeist", cancellable: true };
  try {
    await vscode.window.withProgress(options, async (progress, token) => {
      const say = (message: string): void => progress.report({ message });
      const waits = (): void => say("another window is installing it");
      const done = await alone(server.storage, token, waits, () => installInto(server, say, token));
      if (!done) throw new vscode.CancellationError();
    });
  } catch (error) {
    return goOn(server, error);
  }
  if (await server.start()) void vscode.window.showInformationMessage("texgeist is ready. Open a .tex file and press Ctrl+. there.");
}

type Step = (program: string, args: string[], report?: Say, variables?: NodeJS.ProcessEnv) => Promise<void>;

async function installInto(server: Server, say: Say, token: vscode.CancellationToken): Promise<void> {
  const environment = environmentFor(server.storage, server.bundle);
  const step: Step = (program, args, report, variables) => run(program, args, report ?? (() => undefined), server.log, token, server.storage, variables);
  // One that is slow today is there: whether it still starts is asked, since its Python may have gone.
  if (!(isWhole(environment) && (await hasServer(interpreterIn(environment), true)))) {
    if (isUsed(environment)) throw new Error(IN_USE);
    const remove = (): Promise<void> => fs.promises.rm(environment, { recursive: true, force: true });
    try {
      await remove();
      await make(environment, server, say, step);
    } catch (error) {
      await remove();
      throw error;
    }
    declareWhole(environment);
    await server.stop(); // the old one may run from what is removed now
    await removeOthers(server.storage, environment);
  }
  say("3 of 3: the embedding model (438 MB, once)");
  await step(interpreterIn(environment), ["-I", "-m", "texgeist_server", "model", "fetch"], (line) => say(`3 of 3: ${line}`));
}

/** Makes the environment. uv fetches a Python, if the machine has none. */
async function make(environment: string, server: Server, say: Say, step: Step): Promise<void> {
  const { bundle, storage } = server;
  say("1 of 3: making an environment");
  const { program, settings } = (await findUv()) ?? (await fetchUv(bundle.uv, downloadsIn(storage), step));
  // The downloads are removed at the end, so links to them would break.
  const variables = { ...settings, ...process.env, UV_CACHE_DIR: downloadsIn(storage), UV_LINK_MODE: "hardlink" };
  const named = vscode.workspace.getConfiguration("texgeist.server").get<string>("python");
  const packages = (line = ""): void => say(`2 of 3: Python packages (160 MB)${line && `: ${line}`}`);
  const report = (line: string): void => packages(progressIn(line));
  await step(program, ["venv", "--python", named || PYTHONS, environment], undefined, variables);
  packages();
  await step(program, librariesInto(interpreterIn(environment), bundle.requirements), report, variables);
  await step(program, ourselvesInto(interpreterIn(environment), bundle.wheel), undefined, variables);
}

/** uv by pip, which any Python can bring, with pip's settings. They are not logged: addresses may hold passwords. */
async function fetchUv(pinned: string, downloads: string, step: Step): Promise<Uv> {
  const python = await findPython();
  if (python === undefined) throw new Error(NO_PYTHON);
  const environment = path.join(downloads, "uv");
  await step(python, ["-I", "-m", "venv", "--clear", environment]);
  await step(interpreterIn(environment), byPip(pinned, downloads));
  const { stdout } = await promisify(execFile)(interpreterIn(environment), ["-I", "-m", "pip", "config", "list"]);
  return { program: programIn(environment, "uv"), settings: settingsFrom(stdout) };
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
