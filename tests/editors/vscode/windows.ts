// windows.ts STORAGE WHAT … : one window of an editor, as far as installing goes. It works until it is told to go on.
import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { alone } from "../../../client-vscode/src/alone";
import { offerDiscovery } from "../../../client-vscode/src/choices";
import { declareUnused, declareUsed, isUsed, removeOthers } from "../../../client-vscode/src/environment";
import { install as installed } from "../../../client-vscode/src/install";
import { Server } from "../../../client-vscode/src/server";
import { findServer, hasServer, interpreterIn } from "../../../client-vscode/src/python";
import { settingsFrom } from "../../../client-vscode/src/uv";

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
  await declareUsed(storage, given);
  say("uses");
  await told();
  await declareUnused(storage);
}

/** The system refuses the file so many times. */
async function refused(): Promise<void> {
  const { writeFile } = fs.promises;
  let times = Number(given);
  const refuse = (): Promise<void> => Promise.reject(Object.assign(new Error("refused"), { code: "EBUSY" }));
  fs.promises.writeFile = (...given: Parameters<typeof writeFile>) => (times-- > 0 ? refuse() : writeFile(...given));
  say(await alone(storage, never, () => undefined, () => Promise.resolve()).catch((error: Error) => error.message));
}

/** Its lock is another's by the time that it has ended. */
async function robbed(): Promise<void> {
  const lock = path.join(storage, "installing");
  say(await alone(storage, never, () => undefined, async () => fs.writeFileSync(lock, given)));
}

/** The whole installation, as its button asks for it, with a bundle whose digest is given; what is said at its end. */
async function whole(): Promise<void> {
  const server = {
    storage,
    bundle: { wheel: path.join(storage, "none.whl"), requirements: path.join(storage, "none.txt"), uv: "", digest: given },
    log: { info: () => undefined, error: () => undefined },
    start: async () => true,
    stop: async () => undefined,
  };
  await installed(server as unknown as Server);
  say(JSON.stringify((vscode as unknown as { said: unknown }).said));
}

/** The question whether papers may be discovered, answered by the button `given`: the question, and what is set. */
async function discovery(): Promise<void> {
  const { asked, settings, state } = { asked: [] as unknown[], settings: new Map<string, unknown>(), state: new Map<string, unknown>() };
  vscode.window.showInformationMessage = (async (message: string, ...buttons: unknown[]) => {
    asked.push([message, ...buttons, Object.fromEntries(settings)]);
    return given || undefined;
  }) as typeof vscode.window.showInformationMessage;
  const update = async (name: string, value: unknown): Promise<unknown> => settings.set(name, value);
  const inspect = (name: string): unknown => ({ globalValue: settings.get(name) });
  vscode.workspace.getConfiguration = (() => ({ update, inspect })) as unknown as typeof vscode.workspace.getConfiguration;
  const memento = { get: (key: string) => state.get(key), update: async (key: string, value: unknown) => void state.set(key, value) };
  for (let times = 0; times < 2; times += 1) await offerDiscovery(memento as unknown as vscode.Memento);
  say(JSON.stringify({ asked, settings: Object.fromEntries(settings) }));
}

async function run(): Promise<void> {
  if (what === "discovery") return discovery();
  if (what === "whole") return whole();
  if (what === "settings") return say(JSON.stringify(settingsFrom(given)));
  if (what === "count") return count();
  if (what === "install") return install();
  if (what === "use") return use();
  if (what === "used") return say(isUsed(given));
  if (what === "refused") return refused();
  if (what === "robbed") return robbed();
  if (what === "finds") return say((await findServer(storage, { wheel: "", requirements: "", uv: "", digest: "" }, () => undefined))?.program);
  if (what === "starts") return say(await hasServer(interpreterIn(given), true));
  await removeOthers(storage, given);
  say("removed");
}

void run().then(() => process.exit(0));
