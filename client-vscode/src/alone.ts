/** One window installs at a time. The others wait, and take what it has made. */
import * as fs from "node:fs";
import * as path from "node:path";

const BEAT_MS = 10_000;
const SILENT_MS = 300_000; // after which a holder whose process number may be another's by now is doubted
const LOOK_MS = 500;
const LOOKS = 30; // at one that is doubted, longer than a beat: after the machine has slept all are silent
const REFUSALS = 10; // of the file, in a row: Windows refuses one that is just being removed

interface Token {
  readonly isCancellationRequested: boolean;
}

/** The last beat of a silent holder, and how often it was found so. */
interface Silence {
  beat: number;
  looks: number;
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
  const take = taker(lock);
  for (let told = false; !(await take()); told = true) {
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
    await release(lock).catch(() => undefined); // what was installed is whole all the same
  }
}

/** Removes the lock, unless another window has taken it from this one meanwhile. */
async function release(lock: string): Promise<void> {
  if ((await fs.promises.readFile(lock, "utf8")) !== String(process.pid)) return;
  await fs.promises.rm(lock, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }); // only recursive ones are retried
}

/** One try after the other to take the lock, each of which knows what those before have seen. */
function taker(lock: string): () => Promise<boolean> {
  const silence: Silence = { beat: 0, looks: 0 };
  let refusals = 0;
  return async () => {
    try {
      await fs.promises.writeFile(lock, String(process.pid), { flag: "wx" });
      return true;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      const refused = ["EPERM", "EACCES", "EBUSY"].includes(code);
      refusals = refused ? refusals + 1 : 0;
      if (code !== "EEXIST" && !(refused && refusals < REFUSALS)) throw error;
      if (refused) return false;
    }
    if (await isHeld(lock, silence)) return false;
    const aside = `${lock}-${process.pid}`; // of those who find it left behind, one moves it away
    await fs.promises.rename(lock, aside).catch(() => undefined);
    if (await isHeld(aside, silence)) await fs.promises.link(aside, lock).catch(() => undefined); // it was a newer one
    await fs.promises.rm(aside, { force: true });
    return false;
  };
}

/** Whether a window that still lives holds it. */
async function isHeld(lock: string, silence: Silence): Promise<boolean> {
  try {
    const [holder, { mtimeMs }] = await Promise.all([fs.promises.readFile(lock, "utf8"), fs.promises.stat(lock)]);
    const silent = Date.now() - mtimeMs;
    if (holder ? !isAlive(Number(holder)) : silent >= BEAT_MS) return false;
    if (silent < SILENT_MS) return true;
    silence.looks = silence.beat === mtimeMs ? silence.looks + 1 : 1;
    silence.beat = mtimeMs;
    return silence.looks < LOOKS;
  } catch {
    return false;
  }
}
