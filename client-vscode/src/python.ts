/** Finds a Python with texgeist, and installs one where there is none. */
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";

const run = promisify(execFile);
const windows = process.platform === "win32";

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** The path of the interpreter in a virtual environment. */
export function interpreterIn(environment: string): string {
  return windows ? path.join(environment, "Scripts", "python.exe") : path.join(environment, "bin", "python");
}

/** The command that starts the server: the setting, then our own environment, the active one, PATH. */
export async function findServer(storage: string): Promise<Command | undefined> {
  const settings = vscode.workspace.getConfiguration("texgeist.server");
  const command = settings.get<string[]>("command") ?? [];
  if (vscode.workspace.isTrusted && command[0]) {
    return { program: command[0], args: command.slice(1) };
  }
  for (const python of await interpreters(storage)) {
    if (await answers(python, "import sys, texgeist_server; sys.exit(sys.version_info < (3, 11))")) {
      return { program: python, args: ["-m", "texgeist_server", "lsp"] };
    }
  }
  return undefined;
}

/** Makes an environment of our own in `storage` and installs texgeist there. */
export async function installServer(storage: string, progress: vscode.Progress<{ message: string }>): Promise<void> {
  const base = await findPython();
  if (!base) {
    throw new Error("No Python 3.11 or newer was found. Install one from python.org or your system's packages, then try again.");
  }
  const environment = ownEnvironment(storage);
  await fs.promises.mkdir(storage, { recursive: true });
  progress.report({ message: "making an environment" });
  await run(base, ["-m", "venv", "--clear", environment]);
  progress.report({ message: "downloading texgeist and its libraries (about 250 MB)" });
  const source = vscode.workspace.getConfiguration("texgeist.server").get<string>("package") || "texgeist";
  await run(interpreterIn(environment), ["-m", "pip", "install", "--disable-pip-version-check", source], {
    maxBuffer: 1 << 26,
  });
  progress.report({ message: "downloading the embedding model (438 MB, once)" });
  await run(interpreterIn(environment), ["-m", "texgeist_server", "model", "fetch"], { maxBuffer: 1 << 26 });
}

const ownEnvironment = (storage: string): string => path.join(storage, "python");

async function interpreters(storage: string): Promise<string[]> {
  const own = interpreterIn(ownEnvironment(storage));
  const named = vscode.workspace.isTrusted
    ? vscode.workspace.getConfiguration("texgeist.server").get<string>("python")
    : undefined;
  return [named, fs.existsSync(own) ? own : undefined, await activeInterpreter(), ...onPath()].filter(
    (python): python is string => Boolean(python),
  );
}

/** The interpreter that the Python extension has chosen; a workspace may name it, so only where trusted. */
async function activeInterpreter(): Promise<string | undefined> {
  if (!vscode.workspace.isTrusted) return undefined;
  const extension = vscode.extensions.getExtension("ms-python.python");
  if (!extension) return undefined;
  const api = (await extension.activate()) as {
    environments?: { getActiveEnvironmentPath(): { path: string } };
  };
  return api.environments?.getActiveEnvironmentPath().path;
}

const onPath = (): string[] => (windows ? ["python", "py"] : ["python3", "python"]);

async function findPython(): Promise<string | undefined> {
  const newest = windows ? ["py"] : ["python3.14", "python3.13", "python3.12", "python3.11"];
  for (const python of [...onPath(), ...newest]) {
    if (await answers(python, "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))")) return python;
  }
  return undefined;
}

async function answers(python: string, code: string): Promise<boolean> {
  try {
    await run(python, ["-c", code], { timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}
