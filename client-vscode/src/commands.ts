/** The palette's commands. Each hands on to the server; none holds logic of its own. */
import * as vscode from "vscode";
import { offerInstall } from "./install";
import { askForKey } from "./keys";
import { Server } from "./server";

type Action = () => unknown;

export function registerCommands(context: vscode.ExtensionContext, server: Server): vscode.Disposable[] {
  const actions: Record<string, Action> = {
    relatedWorkFromAbstract: () => onDocument((uri) => server.execute("relatedWork", { uri, from: "abstract" })),
    relatedWorkFromDraft: () => onDocument((uri) => server.execute("relatedWork", { uri, from: "draft" })),
    findCitations: () => onSelection((uri, range) => server.execute("findCitations", { uri, range })),
    answer: () => onSelection((uri, range) => server.execute("answer", { uri, range })),
    why: () => vscode.commands.executeCommand("editor.action.showHover"),
    review: () => onDocument((uri) => review(server, uri)),
    sync: () => server.execute("sync", {}),
    choosePapers: () => vscode.commands.executeCommand("workbench.action.openSettings", "texgeist.index"),
    setKey: () => setKey(context, server),
    cancel: () => server.execute("cancel", {}),
    showLog: () => server.log.show(),
    restart: () => server.start(),
    menu: () => menu(),
    install: () => offerInstall(server),
    openSample: () => openSample(context),
  };
  return Object.entries(actions).map(([name, run]) =>
    vscode.commands.registerCommand(`texgeist.${name}`, () => guarded(server, run)),
  );
}

async function guarded(server: Server, run: Action): Promise<void> {
  try {
    await run();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    server.log.error(reason);
    void vscode.window.showErrorMessage(`texgeist: ${reason}`);
  }
}

async function onDocument(run: (uri: string) => unknown): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor) await run(editor.document.uri.toString());
}

async function onSelection(run: (uri: string, range: vscode.Range) => unknown): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  if (editor.selection.isEmpty) {
    void vscode.window.showInformationMessage("texgeist: select a sentence first.");
    return;
  }
  const { start, end } = editor.selection;
  await run(editor.document.uri.toString(), new vscode.Range(start, end));
}

async function setKey(context: vscode.ExtensionContext, server: Server): Promise<void> {
  const set = await askForKey(context.secrets);
  if (set && server.running) await server.execute("setKey", set);
}

async function review(server: Server, uri: string): Promise<void> {
  const page = await server.execute<{ url: string }>("review", { uri });
  if (page) await vscode.env.openExternal(vscode.Uri.parse(page.url));
}

const entries = ["relatedWorkFromAbstract", "relatedWorkFromDraft", "review", "choosePapers", "setKey", "sync", "showLog", "restart"];

/** The menu behind the status bar item: the palette's own commands, by their own titles. */
async function menu(): Promise<void> {
  const declared = vscode.extensions.getExtension("texgeist.texgeist")?.packageJSON as {
    contributes: { commands: { command: string; title: string }[] };
  };
  const picks = declared.contributes.commands
    .filter(({ command }) => entries.includes(command.replace("texgeist.", "")))
    .map(({ command, title }) => ({ label: title, command }));
  const pick = await vscode.window.showQuickPick(picks, { title: "texgeist" });
  if (pick) await vscode.commands.executeCommand(pick.command);
}

/** Copies the sample paper to a place that the user chooses, and opens it. */
async function openSample(context: vscode.ExtensionContext): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectFolders: true,
    canSelectFiles: false,
    openLabel: "Put the sample paper here",
  });
  if (!chosen?.[0]) return;
  const target = vscode.Uri.joinPath(chosen[0], "texgeist-sample");
  await vscode.workspace.fs.copy(vscode.Uri.joinPath(context.extensionUri, "examples", "paper"), target);
  await vscode.commands.executeCommand("vscode.openFolder", target);
}
