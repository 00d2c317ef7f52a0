/** Requests to the server: directly in a browser, through the extension in VS Code's webview. */
const editor = typeof acquireVsCodeApi === "function" ? acquireVsCodeApi() : undefined;

/** @returns the answer. Throws an Error with the message of the server. */
export async function ask(path, body) {
  const { ok, body: answer } = await (editor ? throughEditor(path, body) : directly(path, body));
  if (!ok) throw new Error(answer?.error ?? "The language server refused.");
  return answer;
}

async function directly(path, body) {
  const post = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, body === undefined ? {} : post).catch(() => {
    throw new Error("texgeist does not answer. Was the editor closed? Ask for the review again there.");
  });
  return { ok: response.ok, body: await response.json() };
}

const waiting = new Map();
let count = 0;

function throughEditor(path, body) {
  return new Promise((resolve) => {
    const id = ++count;
    waiting.set(id, resolve);
    editor.postMessage({ id, path, body });
  });
}

if (editor) {
  window.addEventListener("message", ({ data }) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  });
}
