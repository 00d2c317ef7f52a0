/** The palette's commands. Each hands on to the server; none holds logic of its own. */
import * as vscode from "vscode";
import { choosePapers, chooseWriter } from "./choices";
import { commands } from "./declared";
import { install } from "./install";
import { askForKey } from "./keys";
import { Server } from "./server";

export function registerCommands(context: vscode.ExtensionContext, server: Server): vscode.Disposable[] {
  const actions: Record<string, () => unknown> = {
    ...Object.fromEntries(commands.map((each) => [each.id, () => order(server, each)])),
    choosePapers: () => choosePapers(context, server),
    chooseWriter: () => chooseWriter(context, server),
    setKey: () => setKey(context, server),
    showLog: () => server.log.show(),
    restart: () => restart(server),
    menu: () => menu(context, server),
    install: () => install(server),
    openSample: () => openSample(context),
    walkthrough: () => vscode.commands.executeCommand("workbench.action.openWalkthrough", "texgeist.texgeist#texgeist.start", false),
  };
  return Object.entries(actions).map(([name, run]) =>
    vscode.commands.registerCommand(`texgeist.${name}`, () => guarded(server, run)),
  );
}

/** A command of the server's, with what it needs of the editor. */
function order(server: Server, { order, needs, argument }: (typeof commands)[number]): unknown {
  switch (needs) {
    case "nothing":
      return server.execute(order, argument);
    case "document":
      return onDocument((uri) => server.execute(order, { uri, ...argument }));
    case "selection":
      return onSelection((uri, range) => server.execute(order, { uri, range, ...argument }));
    case "cursor":
      return onDocument((uri) =>
        server.execute(order, { uri, position: vscode.window.activeTextEditor?.selection.active, ...argument }),
      );
    case "position":
      return vscode.window.activeTextEditor && server.why(vscode.window.activeTextEditor);
  }
}

const AGAIN = "Try Again";
const LOG = "Show the Log";

async function guarded(server: Server, run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    server.log.error(reason);
    void vscode.window.showErrorMessage(`texgeist: ${reason}`, AGAIN, LOG).then((answer) => {
      if (answer === AGAIN) void guarded(server, run);
      if (answer === LOG) server.log.show();
    });
    return undefined;
  }
}

const LATEX = ["latex", "tex"];
const MARKDOWN = ["quarto", "rmd", "markdown"]; // citations are written there, sections are not

async function onDocument<T>(run: (uri: string) => T, languages = LATEX): Promise<T | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  if (document && languages.includes(document.languageId)) return run(document.uri.toString());
  void vscode.window.showInformationMessage("texgeist: open a .tex file first.");
  return undefined;
}

const onSelection = <T>(run: (uri: string, range: object) => T): Promise<T | undefined> =>
  onDocument((uri) => {
    const selection = vscode.window.activeTextEditor?.selection;
    if (selection && !selection.isEmpty) return run(uri, { start: selection.start, end: selection.end });
    void vscode.window.showInformationMessage("texgeist: select a sentence first.");
    return undefined;
  }, [...LATEX, ...MARKDOWN]) as Promise<T | undefined>;

/** Copies the sample paper to where the user wants it, and opens it. */
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

async function setKey(context: vscode.ExtensionContext, server: Server): Promise<void> {
  const given = await askForKey(context.secrets);
  if (given && server.running) await server.execute("setKey", given);
}

async function restart(server: Server): Promise<void> {
  if (!(await server.start())) await vscode.commands.executeCommand("texgeist.install");
}

interface Declared {
  readonly contributes: { readonly commands: readonly { readonly command: string; readonly title: string }[] };
}

/** What the menu of the status bar item offers: always, and only while the server runs or a job does. */
const ALWAYS = ["choosePapers", "chooseWriter", "setKey", "showLog", "restart", "walkthrough"];
const READY = commands.filter((each) => each.always).map((each) => each.id);
const WORKING = commands.filter((each) => each.whileWorking).map((each) => each.id);

async function menu(context: vscode.ExtensionContext, server: Server): Promise<void> {
  const offered = [...(server.status.working ? WORKING : []), ...(server.running ? READY : ["install"]), ...ALWAYS];
  const titles = new Map((context.extension.packageJSON as Declared).contributes.commands.map((each) => [each.command, each.title]));
  const picks = offered.map((name) => ({ label: titles.get(`texgeist.${name}`) ?? name, command: `texgeist.${name}` }));
  const pick = await vscode.window.showQuickPick(picks, { title: "texgeist", placeHolder: server.status.words });
  if (pick) await vscode.commands.executeCommand(pick.command);
}
