// Runs inside the extension host, against the extension as installed from its package.
const fs = require("fs");
const path = require("path");
const vscode = require("vscode");

const { check, failed, pause, until } = require("./checks.js");

const command = (name, ...args) => vscode.commands.executeCommand(name, ...args);
const status = () => command("texgeist.server.status");
const idle = () => until("the end of the job", async () => (await status()).jobs.length === 0);
/** The draft has been read, and the search is on. */
const underWay = () => until("the search", async () => {
  const { jobs } = await status();
  return !jobs.length || !["", "Starting", "Reading the draft"].includes(jobs[0].message);
});
const folder = vscode.workspace.workspaceFolders[0].uri.fsPath;
const uri = (...parts) => vscode.Uri.file(path.join(folder, ...parts));
const open = async (...parts) => (await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri(...parts)), { preview: false })).document;
const textOf = async (...parts) => (await vscode.workspace.openTextDocument(uri(...parts))).getText();
const sections = (text) => (text.match(/texgeist:begin/g) ?? []).length;
const edit = async (document, position, text) => {
  const change = new vscode.WorkspaceEdit();
  change.insert(document.uri, position, text);
  return vscode.workspace.applyEdit(change);
};

/** As a user would a moment later: VS Code opens a tab for every changed file first. */
async function save() {
  const tabs = () => new Set(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input?.uri?.fsPath)));
  await until("tabs of the changed files", () => vscode.workspace.textDocuments.every(({ isDirty, uri }) => !isDirty || tabs().has(uri.fsPath)));
  return vscode.workspace.saveAll();
}

async function theProject() {
  const abstract = await open("sections", "abstract.tex");
  const extension = vscode.extensions.getExtension("texgeist.texgeist");
  check("installed from its package", extension && !extension.extensionPath.includes("client-vscode/src"), extension?.extensionPath);
  await extension.activate();
  await until("the server", async () => (await vscode.commands.getCommands(true)).includes("texgeist.server.relatedWork"));
  check("server found", true);
  const lenses = await until("the code lens", async () => {
    const found = await command("vscode.executeCodeLensProvider", abstract.uri);
    return found?.some((lens) => lens.command?.title === "Write related work") && found;
  });
  check("code lens over the abstract", lenses.length === 1);
  return abstract;
}

async function actions(document, position) {
  const range = new vscode.Range(position, position);
  const found = await command("vscode.executeCodeActionProvider", document.uri, range, undefined, 10);
  const titles = found.map(({ title }) => title);
  check("code actions", titles.includes("texgeist: write related work from the abstract"), titles.join(" | "));
  return found.find(({ title }) => title === "texgeist: write related work from the abstract");
}

async function cancelling(before) {
  await command("texgeist.relatedWorkFromAbstract");
  const working = await until("a job", async () => { const now = await status(); return now.jobs.length && now; });
  check("progress", working.state === "working" && working.jobs[0].title.length > 0, JSON.stringify(working.jobs));
  await command("texgeist.cancel");
  await idle();
  const after = await Promise.all(before.map(([name]) => textOf(...name)));
  check("cancel leaves all files alone", after.every((text, at) => text === before[at][1]));
}

async function writing(action) {
  const { command: name, arguments: args } = action.command;
  const started = Date.now();
  await command(name, ...args);
  check("the command returns at once", Date.now() - started < 2000, `${Date.now() - started} ms`);
  await idle();
  const files = ["main.tex", "sections/introduction.tex", "sections/conclusion.tex", "sections/experiments.tex", "sections/abstract.tex", "sections/method.tex"];
  const texts = await Promise.all(files.map((file) => textOf(file)));
  const at = texts.findIndex((text) => sections(text));
  check("section in the document", at >= 0, files[at]);
  const bib = await textOf("references.bib");
  const keys = [...texts[at].match(/texgeist:begin[\s\S]*texgeist:end/)[0].matchAll(/\\cite[a-z]*\{([^}]*)\}/g)].flatMap((m) => m[1].split(/\s*,\s*/));
  check("every key is in the bibliography", keys.length > 2 && keys.every((key) => bib.includes(`{${key},`)), keys.join(" "));
  check("saved", await save());
  check("section on disk", sections(fs.readFileSync(path.join(folder, files[at]), "utf8")) === 1);
  check("bibliography on disk", fs.readFileSync(path.join(folder, "references.bib"), "utf8") === bib);
  check("provenance on disk", fs.existsSync(path.join(folder, ".texgeist", "provenance.json")));
  return { file: files[at], key: keys[0], bib };
}

async function hovering({ file, key }) {
  const document = await open(file);
  const position = document.positionAt(document.getText().indexOf(key, document.getText().indexOf("texgeist:begin")) + 1);
  const hovers = await command("vscode.executeHoverProvider", document.uri, position);
  const words = hovers.flatMap(({ contents }) => contents.map((each) => each.value ?? each)).join("\n");
  check("hover says why", /similarity|chosen|abstract/i.test(words) && words.split("\n").length <= 25, JSON.stringify(words).slice(0, 300));
  const lenses = await command("vscode.executeCodeLensProvider", document.uri);
  check("lens over the section", lenses.some((lens) => /^\d+ papers?, /.test(lens.command?.title ?? "")), lenses.map((lens) => lens.command?.title).join(" · "));
}

async function edited({ file }) {
  const document = await open(file);
  const text = document.getText();
  const section = /texgeist:begin (\S+)/.exec(text)[1];
  await command("texgeist.server.updateSection", { uri: document.uri.toString(), section });
  await underWay();
  await edit(document, document.positionAt(text.indexOf("\n", text.indexOf("texgeist:begin")) + 1), "My own words.\n");
  await idle();
  check("an edited section is not overwritten", document.getText().includes("My own words.") && sections(document.getText()) === 1);
  for (let steps = 0; steps < 3 && document.getText() !== text; steps++) await command("undo"); // the update, and the words
  await until("undo", () => document.getText() === text);
}

async function undoing({ file, bib }) {
  const document = await open(file);
  await command("undo");
  await until("undo", () => !sections(document.getText()));
  check("one undo takes the section back", true);
  check("undo keeps the saved bibliography", fs.readFileSync(path.join(folder, "references.bib"), "utf8") === bib);
  await save();
}

async function typing() {
  const document = await open("main.tex");
  await command("texgeist.relatedWorkFromAbstract");
  await underWay();
  await edit(document, document.positionAt(document.getText().indexOf("\\maketitle")), "% typed meanwhile\n");
  await idle();
  const all = await Promise.all(["main.tex", "sections/introduction.tex", "sections/conclusion.tex", "sections/experiments.tex", "sections/abstract.tex", "sections/method.tex"].map((name) => textOf(name)));
  check("typing meanwhile is kept", all[0].includes("% typed meanwhile") && all.reduce((sum, text) => sum + sections(text), 0) === 1);
}

/** Ticks the first paper of the list, and takes it. */
async function picked() {
  const waits = async () => (await command("texgeist.server.status", {})).jobs.some((job) => job.message === "Waiting for your choice");
  await until("the list", waits);
  await until("the choice", async () => {
    await pause(500); // the list is drawn after the job says that it waits; without a list these commands do nothing
    await command("workbench.action.quickOpenSelectNext"); // of a list with ticks none is focused at first
    await command("workbench.action.quickPickManyToggle");
    await command("workbench.action.acceptSelectedQuickOpenItem");
    return !(await waits());
  });
}

async function astral() {
  const document = await open("sections", "method.tex");
  const text = document.getText();
  const at = text.indexOf("achieved 𝒳");
  check("astral text is there", at > 0);
  const end = text.indexOf(".", at);
  vscode.window.activeTextEditor.selection = new vscode.Selection(document.positionAt(text.lastIndexOf("\n", at) + 1), document.positionAt(end + 1));
  await command("texgeist.findCitations");
  await picked();
  await idle();
  const line = document.lineAt(document.positionAt(at).line).text;
  check("citation at the end of an astral sentence", /scores\s*~?\s*\\cite[a-z]*\{[^}]+\}\.$/.test(line), line);
  const key = /\\cite[a-z]*\{([^},]+)/.exec(line)?.[1] ?? "";
  const position = new vscode.Position(document.positionAt(at).line, line.indexOf(key) + 1);
  const hovers = await command("vscode.executeHoverProvider", document.uri, position);
  const range = hovers[0]?.range;
  check("hover after astral characters", range && document.getText(range).includes(key), range && document.getText(range));
}

async function noBibliography() {
  const document = await open("lone", "paper.tex");
  await command("texgeist.relatedWorkFromAbstract");
  await idle();
  const text = document.getText();
  const bibs = fs.readdirSync(path.join(folder, "lone")).filter((name) => name.endsWith(".bib"));
  check("a bibliography is made", bibs.length === 1 && /\\(bibliography|addbibresource)\{/.test(text), bibs.join(" "));
  await save();
  const saved = fs.readFileSync(path.join(folder, "lone", bibs[0]), "utf8");
  await command("undo");
  await until("undo", () => !sections(document.getText()));
  check("undo keeps a new bibliography", fs.readFileSync(path.join(folder, "lone", bibs[0]), "utf8") === saved && saved.includes("@"));
}

/** A new document, and a document that only another extension can read, as Overleaf's extensions have them. */
async function noFile() {
  const { languageId } = await open("main.tex");
  vscode.workspace.registerTextDocumentContentProvider("elsewhere", { provideTextDocumentContent: () => "A paper." });
  const answers = [];
  for (const address of [{ content: "A paper." }, vscode.Uri.parse("elsewhere://host/paper/main.tex")]) {
    const document = await vscode.workspace.openTextDocument(address);
    await vscode.window.showTextDocument(await vscode.languages.setTextDocumentLanguage(document, languageId), { preview: false });
    for (const name of ["relatedWorkFromAbstract", "verify", "why"]) answers.push((await command(`texgeist.${name}`))?.error);
  }
  check("a document that is no file is refused, with the reason", answers.every((error) => error?.includes("works on files")), answers.join(" | "));
}

exports.run = async () => {
  try {
    const abstract = await theProject();
    const action = await actions(abstract, new vscode.Position(3, 0));
    const names = [["main.tex"], ["references.bib"], ["sections", "introduction.tex"], ["sections", "conclusion.tex"]];
    await cancelling(await Promise.all(names.map(async (name) => [name, await textOf(...name)])));
    await open("sections", "abstract.tex");
    const written = await writing(action);
    await hovering(written);
    await edited(written);
    await undoing(written);
    await typing();
    await astral();
    await noBibliography();
    await noFile();
  } catch (error) {
    check(`exception: ${error.stack}`, false);
  }
  if (failed()) throw new Error(`${failed()} checks failed`);
};
