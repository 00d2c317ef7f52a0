// Runs inside the extension host: the editor's own language model writes the section.
const path = require("path");
const vscode = require("vscode");

const { check, failed, pause, until } = require("./checks.js");

const command = (name, ...args) => vscode.commands.executeCommand(name, ...args);
const idle = () => until("the end of the job", async () => (await command("texgeist.server.status")).jobs.length === 0);
const folder = vscode.workspace.workspaceFolders[0].uri.fsPath;
const file = (...parts) => vscode.Uri.file(path.join(folder, ...parts));
const textOf = async (...parts) => (await vscode.workspace.openTextDocument(file(...parts))).getText();

async function ask() {
  const abstract = await vscode.workspace.openTextDocument(file("sections", "abstract.tex"));
  await vscode.window.showTextDocument(abstract, { preview: false });
  await command("texgeist.relatedWorkFromAbstract");
  await until("the job's beginning", async () => (await command("texgeist.server.status")).jobs.length > 0);
  await idle();
}

async function write() {
  await ask();
  await until("the section", async () => (await textOf("main.tex")).includes("texgeist:begin"));
  return textOf("main.tex");
}

async function undo() {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file("main.tex")), { preview: false });
  await command("undo");
  await until("the text before", async () => !(await textOf("main.tex")).includes("texgeist:begin"));
}

exports.run = async () => {
  try {
    await vscode.extensions.getExtension("texgeist.texgeist").activate();
    const provider = await vscode.extensions.getExtension("texgeist-tests.editor-models").activate();
    await until("the server", async () => (await vscode.commands.getCommands(true)).includes("texgeist.server.relatedWork"));
    const text = await write();
    check("the editor's model writes", /A first matter is/.test(text), text.slice(text.indexOf("texgeist:begin"), text.indexOf("texgeist:begin") + 300));
    check("it is asked by texgeist, and told why", provider.asked.length > 0 && provider.asked.every(({ from }) => from === "texgeist.texgeist"), JSON.stringify(provider.asked[0]?.justification));
    check("no key is asked of it", provider.asked.every(({ text }) => !/Bearer|[0-9a-f]{64}/.test(text)));

    await undo();
    const asked = provider.asked.length;
    provider.refuses = true;
    await ask();
    check("the model refuses", provider.refused > 0);
    await pause(1000); // an edit would come after the job
    check("refused, nothing is written", !(await textOf("main.tex")).includes("texgeist:begin"));

    provider.refuses = false;
    await vscode.workspace.getConfiguration("texgeist").update("writer.provider", "extractive", vscode.ConfigurationTarget.Global);
    await pause(1500);
    await write();
    check("another writer chosen, it is not asked", provider.asked.length === asked, `${asked} ${provider.asked.length}`);

    const chosen = command("texgeist.chooseWriter");
    await pause(4000); // until the list is there
    await command("workbench.action.quickOpenSelectNext"); // after "Nothing leaves this machine"
    await command("workbench.action.acceptSelectedQuickOpenItem");
    await chosen;
    const { provider: writer, model, baseUrl } = vscode.workspace.getConfiguration("texgeist").get("writer");
    check("a model server of this machine is chosen by a click", `${writer} ${model} ${new URL(baseUrl).hostname}` === "openai qwen3:8b 127.0.0.1", `${writer} ${model} ${baseUrl}`);
  } catch (error) {
    check(`exception: ${error.stack}`, false);
  }
  if (failed()) throw new Error(`${failed()} failed`);
};
