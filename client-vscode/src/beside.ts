/** The other LaTeX extensions in this window. What they show already, the server leaves to them. */
import * as vscode from "vscode";

const known: Readonly<Record<string, string>> = {
  "James-Yu.latex-workshop": "latex-workshop",
  "efoerster.texlab": "texlab",
};

/** The server's settings with `editor.beside` filled in, unless the user has said otherwise. */
export function withNeighbours(settings: unknown): unknown {
  const given = (settings ?? {}) as { editor?: { beside?: string[] } };
  const said = vscode.workspace.getConfiguration("texgeist").inspect<string[]>("editor.beside");
  if (said?.globalValue ?? said?.workspaceValue ?? said?.workspaceFolderValue) return given;
  const beside = Object.keys(known).filter((id) => vscode.extensions.getExtension(id)).map((id) => known[id]);
  return { ...given, editor: { ...given.editor, beside } };
}
