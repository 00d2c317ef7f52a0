/** What the server shows to the user: lists to choose from, pages of text, places, and errors with buttons. */
import * as vscode from "vscode";

export interface Pick {
  readonly id: string;
  readonly title: string;
  readonly items: readonly { readonly id: string; readonly label: string; readonly description: string; readonly detail: string }[];
}

export interface Place {
  readonly uri: string;
  readonly range: { readonly start: vscode.Position; readonly end: vscode.Position };
}

const SCHEME = "texgeist";

/** The papers picked, by id: none where the list was left. */
export async function pick({ title, items }: Pick): Promise<string[]> {
  const options = { title: "texgeist", placeHolder: title, canPickMany: true, matchOnDescription: true, matchOnDetail: true, ignoreFocusOut: true } as const;
  const picked = await vscode.window.showQuickPick([...items], options);
  return picked?.map((item) => item.id) ?? [];
}

/** Pages of Markdown, read-only. */
export class Panels implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly pages = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.pages.get(uri.path) ?? "";
  }

  async show(title: string, markdown: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title.replace(/[^\p{L}\p{N} ]+/gu, " ").trim().slice(0, 60) || "texgeist"}.md` });
    this.pages.set(uri.path, markdown);
    this.changed.fire(uri);
    const commands = await vscode.commands.getCommands(true);
    if (commands.includes("markdown.showPreviewToSide")) await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
    else await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  }

  dispose(): void {
    this.registered.dispose();
    this.changed.dispose();
  }
}

const rangeOf = ({ range }: Place): vscode.Range =>
  new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);

/** Scrolls to a place that is in sight; moves no cursor and opens nothing. */
export function reveal(place: Place): void {
  const seen = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === vscode.Uri.parse(place.uri).toString());
  seen?.revealRange(rangeOf(place), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

export async function go(place: Place): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.parse(place.uri), { selection: rangeOf(place) });
}

interface Problem {
  readonly message: string;
  readonly kind: "error" | "info";
  readonly mends: readonly { readonly title: string; readonly command: string }[];
}

/** Shows the message; a button runs the command of ours that it names. */
export async function mend({ message, mends, kind }: Problem): Promise<void> {
  const show = kind === "info" ? vscode.window.showInformationMessage : vscode.window.showErrorMessage;
  const picked = await show(message, ...mends.map(({ title }) => title));
  const command = mends.find(({ title }) => title === picked)?.command;
  if (command) await vscode.commands.executeCommand(command === "trust" ? "workbench.trust.manage" : `texgeist.${command}`);
}
