// windows.ts STORAGE WHAT … : one window of an editor, as far as installing goes. It works until it is told to go on.
import * as fs from "node:fs";
import { alone } from "../../../client-vscode/src/alone";
import { declareUsed, removeOthers } from "../../../client-vscode/src/environment";
import { hasServer, interpreterIn } from "../../../client-vscode/src/python";

const [, , storage, what, given] = process.argv;
const told = (): Promise<unknown> => new Promise((resolve) => process.stdin.once("data", resolve).once("end", resolve));
const say = (words: unknown): void => console.log(String(words));
const pause = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));
const never = { isCancellationRequested: false };

async function count(): Promise<void> {
  let others = 0;
  await alone(storage, never, () => undefined, async () => {
    if (fs.existsSync(given)) others += 1;
    fs.writeFileSync(given, "");
    await pause(150);
    fs.rmSync(given);
  });
  say(others ? "not alone" : "alone");
}

async function install(): Promise<void> {
  const token = { isCancellationRequested: given === "cancelled" };
  const waits = (): void => say("waits");
  say(`done ${await alone(storage, token, waits, async () => (say("works"), void (await told())))}`);
}

async function use(): Promise<void> {
  declareUsed(storage, given);
  await pause(300);
  say("uses");
  await told();
}

async function run(): Promise<void> {
  if (what === "count") return count();
  if (what === "install") return install();
  if (what === "use") return use();
  if (what === "starts") return say(await hasServer(interpreterIn(given)));
  await removeOthers(storage, given);
  say("removed");
}

void run().then(() => process.exit(0));
