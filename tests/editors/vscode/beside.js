// Runs inside the extension host, in a window that has LaTeX Workshop by its name.
const path = require("path");
const vscode = require("vscode");

const { check, failed, until } = require("./checks.js");

exports.run = async () => {
  try {
    const folder = vscode.workspace.workspaceFolders[0].uri.fsPath;
    const uri = vscode.Uri.file(path.join(folder, "sections", "introduction.tex"));
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    check("the neighbour is there", vscode.extensions.getExtension("James-Yu.latex-workshop") !== undefined);
    await vscode.extensions.getExtension("texgeist.texgeist").activate();
    await until("the server", async () => (await vscode.commands.getCommands(true)).includes("texgeist.server.why"));
    const at = document.getText().search(/\\cite[a-z]*\{/);
    const position = document.positionAt(document.getText().indexOf("{", at) + 2);
    const change = new vscode.WorkspaceEdit();
    change.insert(uri, new vscode.Position(document.lineCount, 0), "\n\\citep{nowhere2099}\n");
    await vscode.workspace.applyEdit(change);
    await until("a request in order", () => vscode.commands.executeCommand("texgeist.server.status"));
    const hovers = await vscode.commands.executeCommand("vscode.executeHoverProvider", uri, position);
    check("no second hover on the user's own citation", hovers.length === 0, JSON.stringify(hovers).slice(0, 200));
    const completions = await vscode.commands.executeCommand("vscode.executeCompletionItemProvider", uri, position);
    const keys = completions.items.filter(({ kind }) => kind === vscode.CompletionItemKind.Reference);
    check("no second completion of keys", keys.length === 0, `${keys.length} keys`);
    const { markdown } = await vscode.commands.executeCommand("texgeist.server.why", { uri: uri.toString(), position });
    check("asked outright, it still says why", markdown.length > 20, markdown.slice(0, 80).replace(/\n/g, " "));
    const abstract = await vscode.workspace.openTextDocument(path.join(folder, "sections", "abstract.tex"));
    const lenses = await until("the lens", async () => {
      const found = await vscode.commands.executeCommand("vscode.executeCodeLensProvider", abstract.uri);
      return found?.length && found;
    });
    check("what only texgeist does is there", lenses.some((lens) => lens.command?.title === "Write related work"));
    const said = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "texgeist");
    check("no second warning", said.length === 0, said.map(({ message }) => message).join(" | "));
  } catch (error) {
    check(`exception: ${error.stack}`, false);
  }
  if (failed()) throw new Error(`${failed()} checks failed`);
};
