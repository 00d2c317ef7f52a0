/** The extension's own Python environment. Its folder is named after what was installed into it, byte by byte. */
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { isAlive } from "./alone";

const READY = "texgeist-ready"; // written last: without it an environment is half-made
const USED = "used-by-";

/** What the extension brings: the wheel of its server, and the libraries with the hash of every file. */
export interface Bundle {
  readonly wheel: string;
  readonly requirements: string;
  /** The uv to install, for machines without it, with its hashes. */
  readonly uv: string;
  readonly digest: string;
}

export function bundleIn(extension: string): Bundle {
  const folder = path.join(extension, "client-vscode", "server");
  const wheel = path.join(folder, fs.readdirSync(folder).find((name) => name.endsWith(".whl")) ?? "");
  const requirements = path.join(folder, "requirements.txt");
  const pins = fs.readFileSync(requirements);
  const digest = createHash("sha256").update(fs.readFileSync(wheel)).update(pins).digest("hex").slice(0, 12);
  return { wheel, requirements, uv: path.join(extension, "client-vscode", "uv.txt"), digest };
}

export const environmentFor = (storage: string, bundle: Bundle): string => path.join(storage, `python-${bundle.digest}`);

/** Where uv and pip keep what they have downloaded, so that a broken installation goes on; gone when it is whole. */
export const downloadsIn = (storage: string): string => path.join(storage, "downloads");

export const isWhole = (environment: string): boolean => fs.existsSync(path.join(environment, READY));

export function declareWhole(environment: string): void {
  fs.writeFileSync(path.join(environment, READY), "");
}

/** The environments that are whole, the one for `bundle` first: an older one serves until the new one is there. */
export function wholeEnvironments(storage: string, bundle: Bundle): string[] {
  const current = environmentFor(storage, bundle);
  return all(storage)
    .filter(isWhole)
    .sort((a, b) => Number(b === current) - Number(a === current));
}

/** Notes that this window's server runs from the interpreter, where it is of one of our environments. What windows
 * that have gone left noted is removed: their numbers may become another process's. */
export async function declareUsed(storage: string, interpreter: string): Promise<void> {
  const gone = all(storage).flatMap((folder) => users(folder).filter((pid) => !isAlive(pid)).map((pid) => note(folder, pid)));
  const environment = all(storage).find((folder) => interpreter.startsWith(folder + path.sep));
  const made = environment ? [fs.promises.writeFile(note(environment, process.pid), "")] : [];
  await Promise.allSettled([...gone.map((file) => fs.promises.unlink(file)), ...made]);
}

/** This window's server has ended. */
export async function declareUnused(storage: string): Promise<void> {
  await Promise.allSettled(all(storage).map((folder) => fs.promises.unlink(note(folder, process.pid))));
}

/** Whether another window's server runs from the environment: what it has not imported yet must stay. */
export const isUsed = (environment: string): boolean => users(environment).some((pid) => pid !== process.pid && isAlive(pid));

const note = (environment: string, pid: number): string => path.join(environment, `${USED}${pid}`);

/** The processes that are noted in an environment, if there is one. */
function users(environment: string): number[] {
  if (!fs.existsSync(environment)) return [];
  const notes = fs.readdirSync(environment).filter((name) => name.startsWith(USED));
  return notes.map((name) => Number(name.slice(USED.length)));
}

/** Removes all but `kept` and those in use, and what was downloaded for it; what cannot go now goes another time. */
export async function removeOthers(storage: string, kept: string): Promise<void> {
  const others = all(storage).filter((folder) => folder !== kept && !isUsed(folder));
  const gone = [...others, path.join(storage, "python"), downloadsIn(storage)];
  await Promise.allSettled(gone.map((folder) => fs.promises.rm(folder, { recursive: true, force: true })));
}

function all(storage: string): string[] {
  if (!fs.existsSync(storage)) return [];
  return fs
    .readdirSync(storage)
    .filter((name) => /^python-[0-9a-f]{12}$/.test(name))
    .map((name) => path.join(storage, name));
}
