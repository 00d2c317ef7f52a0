/** The sample paper, copied to where the user wants it. */
import * as vscode from "vscode";

export async function openSample(context: vscode.ExtensionContext): Promise<void> {
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
