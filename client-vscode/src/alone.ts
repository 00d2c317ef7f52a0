/** One window installs at a time. The others wait, and take what it has made. */
import * as fs from "node:fs";
import * as path from "node:path";

const BEAT_MS = 10_000;
const SILENT_MS = 300_000; // after which a holder whose process number is another's by now counts as gone
const LOOK_MS = 500;

interface Token {
  readonly isCancellationRequested: boolean;
}

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

/** Runs `work` when no other window of `storage` is at it; `waits` is called once where one is. False where
 * the waiting was cancelled. */
export async function alone(storage: string, token: Token, waits: () => void, work: () => Promise<void>): Promise<boolean> {
  await fs.promises.mkdir(storage, { recursive: true });
  const lock = path.join(storage, "installing");
  for (let told = false; !(await taken(lock)); told = true) {
    if (token.isCancellationRequested) return false;
    if (!told) waits();
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  const beat = setInterval(() => fs.utimes(lock, new Date(), new Date(), () => undefined), BEAT_MS);
  try {
    await work();
    return true;
  } finally {
    clearInterval(beat);
    await fs.promises.rm(lock, { force: true });
  }
}

async function taken(lock: string): Promise<boolean> {
  try {
    await fs.promises.writeFile(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  if (await isHeld(lock)) return false;
  const aside = `${lock}-${process.pid}`; // of those who find it left behind, one moves it away
  await fs.promises.rename(lock, aside).catch(() => undefined);
  if (await isHeld(aside)) await fs.promises.link(aside, lock).catch(() => undefined); // it was a newer one
  await fs.promises.rm(aside, { force: true });
  return false;
}

/** Whether a window that still lives holds it. */
async function isHeld(lock: string): Promise<boolean> {
  try {
    const [holder, { mtimeMs }] = await Promise.all([fs.promises.readFile(lock, "utf8"), fs.promises.stat(lock)]);
    const silent = Date.now() - mtimeMs;
    return silent < SILENT_MS && (holder ? isAlive(Number(holder)) : silent < BEAT_MS);
  } catch {
    return false;
  }
}
