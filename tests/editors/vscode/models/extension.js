// A provider of language models, as GitHub Copilot is one: what it is asked, the server behind TEXGEIST_TEST_MODEL answers.
const vscode = require("vscode");

exports.asked = [];
exports.refuses = false;
exports.refused = 0;

exports.activate = (context) => {
  const limits = { maxInputTokens: 100000, maxOutputTokens: 8000 };
  const metadata = { vendor: "editor-models", name: "Stand-in", family: "stand-in", version: "1", ...limits, isUserSelectable: true };
  context.subscriptions.push(vscode.lm.registerChatModelProvider("stand-in", { provideLanguageModelResponse, provideTokenCount }, metadata));
  return exports;
};

async function provideLanguageModelResponse(messages, options, from, progress, token) {
  if (exports.refuses) {
    exports.refused += 1;
    throw vscode.LanguageModelError.NoPermissions("The user said no.");
  }
  const texts = messages.map(({ content }) => (typeof content === "string" ? content : content.map(({ value }) => value).join("")));
  exports.asked.push({ from, justification: options.justification, text: texts.join("\n") });
  const stop = new AbortController();
  token.onCancellationRequested(() => stop.abort());
  const sent = { model: "stand-in", stream: true, messages: [{ role: "system", content: texts[0] }, { role: "user", content: texts.slice(1).join("\n") }] };
  const answer = await fetch(`${process.env.TEXGEIST_TEST_MODEL}/chat/completions`, { method: "POST", body: JSON.stringify(sent), headers: { "content-type": "application/json" }, signal: stop.signal });
  for (const line of (await answer.text()).split("\n")) {
    if (!line.startsWith("data: {")) continue;
    const piece = JSON.parse(line.slice(6)).choices[0]?.delta.content;
    if (piece) progress.report({ index: 0, part: new vscode.LanguageModelTextPart(piece) });
  }
}

const provideTokenCount = async (text) => Math.ceil(String(text).length / 4);
