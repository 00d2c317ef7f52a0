/** What went wrong in the server, with buttons that mend it. */
import * as vscode from "vscode";

interface Problem {
  readonly message: string;
  readonly mends: readonly { readonly title: string; readonly command: string }[];
}

/** Shows the message; a button runs the command of ours that it names. */
export async function mend({ message, mends }: Problem): Promise<void> {
  const picked = await vscode.window.showErrorMessage(message, ...mends.map(({ title }) => title));
  const command = mends.find(({ title }) => title === picked)?.command;
  if (command) await vscode.commands.executeCommand(command === "trust" ? "workbench.trust.manage" : `texgeist.${command}`);
}
