/** Finds what starts the server: a setting, the active environment, PATH, `~/.local/bin`, or our own environment. */
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { Bundle, wholeEnvironments } from "./environment";

const run = promisify(execFile);
const windows = process.platform === "win32";
const SERVER = ["-P", "-m", "texgeist_server", "lsp"];

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** Where it is started, if not in the workspace: Windows looks for programs there first. */
  readonly cwd?: string;
}

/** A program of a virtual environment. */
export function programIn(environment: string, name: string): string {
  return windows ? path.join(environment, "Scripts", `${name}.exe`) : path.join(environment, "bin", name);
}

/** The interpreter of a virtual environment. */
export const interpreterIn = (environment: string): string => programIn(environment, "python");

/** The command that starts the server; undefined when there is none. All candidates are asked side by side. */
export async function findServer(storage: string, bundle: Bundle, say: (line: string) => void): Promise<Command | undefined> {
  const settings = vscode.workspace.getConfiguration("texgeist.server");
  const [program, ...args] = settings.get<string[]>("command") ?? [];
  if (program) return { program, args };
  const pythons = [settings.get<string>("python"), await activeInterpreter(), ...onPath(), ...wholeEnvironments(storage, bundle).map(interpreterIn)];
  const found = await Promise.all(pythons.map((python) => python && hasServer(python)));
  pythons.forEach((python, at) => python && say(`${python}: ${found[at] ? "has texgeist" : "no Python 3.11 or newer with texgeist"}`));
  const python = pythons.find((_, at) => found[at]), cwd = path.dirname(bundle.wheel);
  if (python) return { program: python, args: SERVER, cwd };
  const installed = executable("texgeist");
  if (installed) say(`${installed}: found`);
  return installed ? { program: installed, args: ["lsp"], cwd } : undefined;
}

/** How uv is started, and the settings that it gets in its environment. */
export interface Uv {
  readonly program: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** The machine's uv, unless it is too old. */
export async function findUv(): Promise<Uv | undefined> {
  const program = executable("uv");
  const said = program && (await run(program, ["--version"], { timeout: 20_000 }).catch(() => undefined));
  const [, major, minor] = /^uv (\d+)\.(\d+)/.exec((said && said.stdout) || "") ?? [];
  return program && (Number(major) > 0 || Number(minor) >= 5) ? { program, settings: {} } : undefined;
}

/** A Python that the pinned libraries are made for and that can make environments; undefined when there is none. */
export async function findPython(): Promise<string | undefined> {
  const named = vscode.workspace.getConfiguration("texgeist.server").get<string>("python");
  const pythons = [named, await activeInterpreter(), ...onPath(), ...newer()].filter((python) => python !== undefined);
  const found = await Promise.all(
    pythons.map((python) => python && answers(python, "import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 15))")),
  );
  return pythons.find((_, at) => found[at]);
}

/** Whether it starts, with texgeist in it: the Python that an environment was made with may have gone since. `late` is
 * the answer for one that takes too long. */
export const hasServer = (python: string, late = false): Promise<boolean> =>
  answers(
    python,
    "import sys; from importlib.util import find_spec; sys.exit(sys.version_info < (3, 11) or not find_spec('texgeist_server'))",
    late,
  );

async function answers(python: string, code: string, late = false): Promise<boolean> {
  if (path.isAbsolute(python) && !fs.existsSync(python)) return false;
  try {
    await run(python, ["-P", "-c", code], { timeout: 20_000 });
    return true;
  } catch (error) {
    return late && (error as { killed?: boolean }).killed === true;
  }
}

/** The interpreter that the Python extension has chosen. */
async function activeInterpreter(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension("ms-python.python");
  if (!extension) return undefined;
  try {
    const api = (await extension.activate()) as {
      environments?: { getActiveEnvironmentPath(): { path: string } };
    };
    return api.environments?.getActiveEnvironmentPath().path;
  } catch {
    return undefined;
  }
}

const onPath = (): string[] => (windows ? ["python", "py"] : ["python3", "python"]);
const newer = (): string[] => (windows ? [] : ["python3.14", "python3.13", "python3.12", "python3.11"]);

/** A program's path: on PATH, or where `uv tool`, `pipx` and `pip --user` put it, which an editor that was not started
 * from a terminal often lacks in its PATH. */
function executable(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), path.join(os.homedir(), ".local", "bin")];
  const files = folders.filter(Boolean).flatMap((folder) => (windows ? [".exe", ".cmd"] : [""]).map((ending) => path.join(folder, name + ending)));
  return files.find((file) => fs.existsSync(file));
}
