// Runs inside the extension host: the preview of what is to be written, applied and discarded as it is shown.
const path = require("path");
const vscode = require("vscode");

const { check, failed, pause, until } = require("./checks.js");

const command = (name, ...args) => vscode.commands.executeCommand(name, ...args);
const idle = () => until("the end of the job", async () => (await command("texgeist.server.status")).jobs.length === 0);
const file = (...parts) => vscode.Uri.file(path.join(vscode.workspace.workspaceFolders[0].uri.fsPath, ...parts));
const textOf = async (...parts) => (await vscode.workspace.openTextDocument(file(...parts))).getText();
const both = async () => (await textOf("main.tex")) + (await textOf("references.bib"));

async function answered(how) {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file("sections", "abstract.tex")), { preview: false });
  await command("texgeist.relatedWorkFromAbstract");
  const shown = await until("the preview", async () => {
    await pause(500);
    const labels = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
    return (await command("texgeist.server.status")).jobs.some((job) => /confirm|applying|editor|insert/i.test(job.message)) || labels.some((label) => /preview/i.test(label));
  }).catch(() => false);
  await pause(4000); // its boxes are ticked some time after it was announced, and it may be laid out later still
  await until("the answer", async () => {
    await command(how);
    await pause(1500);
    return (await command("texgeist.server.status")).jobs.length === 0;
  });
  return shown;
}

exports.run = async () => {
  try {
    await vscode.extensions.getExtension("texgeist.texgeist").activate();
    await until("the server", async () => (await vscode.commands.getCommands(true)).includes("texgeist.server.relatedWork"));
    await vscode.workspace.getConfiguration("texgeist").update("editor.review", "preview", vscode.ConfigurationTarget.Global);
    await pause(1500);
    const before = await both();

    await answered("refactorPreview.discard");
    await idle();
    check("discarded, nothing is written", (await both()) === before);

    await answered("refactorPreview.apply");
    await idle();
    const text = await textOf("main.tex");
    check("applied as it is shown, all is written", text.includes("texgeist:begin"), text.slice(-300));
    const keys = [...text.slice(text.indexOf("texgeist:begin"), text.indexOf("texgeist:end")).matchAll(/\\cite[a-z]*\{([^}]*)\}/g)].flatMap((m) => m[1].split(","));
    const entries = await textOf("references.bib");
    check("with its entries", keys.length > 0 && keys.every((key) => entries.includes(`{${key.trim()},`)), keys.join());
  } catch (error) {
    check(`exception: ${error.stack}`, false);
  }
  if (failed()) throw new Error(`${failed()} failed`);
};
