// door.mjs FOLDER: the door to the editor's models, knocked at over HTTP by strangers, and before a model that heeds nothing.
// The editor is a stand-in: real ones end a model that talks on, so that only here it is seen what the door does.
import { build } from "esbuild";
import { writeFileSync } from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const [, , folder] = process.argv;
let failures = 0;
const check = (name, ok, extra = "") => {
  console.log(`${ok ? "ok  " : "FAIL"} ${name} ${extra}`);
  if (!ok) failures += 1;
};
const source = fileURLToPath(new URL("../../../client-vscode/src/editorModels.ts", import.meta.url));
const stand = path.join(folder, "vscode.cjs"), bundle = path.join(folder, "door.cjs");
writeFileSync(
  stand,
  `const world = (globalThis.world = { provider: "editor", models: [] });
   exports.world = world;
   exports.workspace = { getConfiguration: () => ({ get: () => world.provider }) };
   exports.lm = { selectChatModels: async () => world.models };
   exports.LanguageModelChatMessage = { User: (text) => text, Assistant: (text) => text };
   exports.LanguageModelError = class extends Error {};
   exports.CancellationTokenSource = class {
     constructor() {
       const heard = [];
       this.token = { isCancellationRequested: false, onCancellationRequested: (listener) => heard.push(listener) };
       this.cancel = () => { if (!this.token.isCancellationRequested) { this.token.isCancellationRequested = true; heard.forEach((listener) => listener()); } };
       this.dispose = () => undefined;
     }
   };`,
);
await build({ entryPoints: [source], bundle: true, platform: "node", format: "cjs", outfile: bundle, alias: { vscode: stand } });
const { EditorModels } = createRequire(import.meta.url)(bundle);
const world = globalThis.world;
const said = [], door = new EditorModels((line) => said.push(line));
const [port, token] = (await door.keys()).editor.split(":");

const question = JSON.stringify({ model: "auto", messages: [{ role: "user", content: "Hello" }] });
/** Status and words; `until` says of the words so far whether the caller leaves. */
const ask = ({ headers = {}, body = question, method = "POST", at = "/v1/chat/completions", until = () => false }) =>
  new Promise((done) => {
    let text = "";
    const request = http.request({ port, host: "127.0.0.1", path: at, method, agent: false, headers: { authorization: `Bearer ${token}`, ...headers } }, (answer) => {
      const end = () => done({ status: answer.statusCode, text });
      answer.on("data", (piece) => { text += piece; if (until(text)) request.destroy(); });
      for (const over of ["end", "error", "close"]) answer.on(over, end);
    });
    request.on("error", (error) => done({ status: 0, text: String(error) }));
    request.end(body);
  });
const model = (text) => ({ id: "m", family: "f", name: "n", sendRequest: async (messages, options, stop) => ({ text: text(stop) }) });
let pieces = 0, cancelled = 0;
/** A model that talks on, whatever it is told. */
const deaf = (piece) => model(async function* (stop) {
  stop.onCancellationRequested(() => (cancelled += 1));
  for (;;) {
    pieces += 1;
    if (pieces % 50 === 0) await new Promise((next) => setImmediate(next));
    yield piece;
  }
});
const rests = async () => {
  await new Promise((next) => setTimeout(next, 300));
  const before = pieces;
  await new Promise((next) => setTimeout(next, 300));
  return pieces === before;
};

world.models = [model(async function* () { yield "Good "; yield "day."; })];
const good = await ask({});
check("who has the token is answered", good.status === 200 && good.text.includes("Good ") && good.text.endsWith("[DONE]\n\n"), good.text);
for (const [name, given, status] of [
  ["without the token", { headers: { authorization: "" } }, 401],
  ["with a part of it", { headers: { authorization: `Bearer ${token.slice(0, -1)}` } }, 401],
  ["by another name", { headers: { host: `evil.example:${port}` } }, 403],
  ["of another path", { at: "/v1/models" }, 404],
  ["of a path with tricks", { at: "/v1/chat/../chat/completions" }, 404],
  ["by another method", { method: "GET", body: "" }, 404],
  ["too large", { body: "x".repeat(17 * 1024 * 1024) }, 413],
  ["that is no JSON", { body: "{" }, 500],
  ["that is no question", { body: "[]" }, 404],
  ["for tools", { body: JSON.stringify({ model: "auto", messages: [], tools: [{}] }) }, 400],
]) {
  const answer = await ask(given);
  check(`a request ${name} is refused`, answer.status === status || (status === 413 && answer.status === 0), `${answer.status} ${answer.text.slice(0, 80)}`);
}

for (const [name, piece] of [["words", "and so on "], ["nothing at all", ""]]) {
  world.models = [deaf(piece)];
  [pieces, cancelled] = [0, 0];
  const endless = await ask({});
  check(`an answer of ${name} without an end is cut`, endless.text.length < 64 * 1024 * 1024 && !endless.text.includes("[DONE]") && (await rests()) && cancelled === 1, `${endless.text.length} ${pieces} ${cancelled}`);
}

world.models = [deaf("word ")];
[pieces, cancelled] = [0, 0];
await ask({ until: (text) => text.length > 1000 });
check("a model that does not heed a cancel is read no further", (await rests()) && cancelled === 1, `${pieces} ${cancelled}`);

let asked = false;
world.models = [model(async function* () { asked = true; await new Promise(() => undefined); })];
const waiting = ask({});
while (!asked) await new Promise((next) => setTimeout(next, 20));
world.provider = "extractive";
check("with another writer chosen there is no door", Object.keys(await door.keys()).length === 0 && (await waiting).status === 0 && (await ask({})).status === 0);
check("no token stands in the log", said.length > 0 && !said.join("").includes(token), said.at(-1));
process.exit(failures ? 1 : 0);
