/** API keys live in the editor's secret storage and travel to the server's memory, nowhere else. */
import * as vscode from "vscode";
import { providers } from "./declared";

const owners: readonly { readonly id: string; readonly label: string }[] = [
  ...providers.filter(({ keyed }) => keyed),
  { id: "milvus", label: "Milvus (user:password)" },
  { id: "openalex", label: "OpenAlex, for discovering papers (free: openalex.org/settings/api)" },
  { id: "semanticscholar", label: "Semantic Scholar, for discovering papers" },
];

const secret = (provider: string): string => `texgeist.key.${provider}`;

export interface Given {
  readonly provider: string;
  readonly key: string;
}

export async function storedKeys(secrets: vscode.SecretStorage): Promise<Record<string, string>> {
  const keys = await Promise.all(owners.map(async ({ id }) => [id, await secrets.get(secret(id))] as const));
  return Object.fromEntries(keys.filter((pair): pair is readonly [string, string] => Boolean(pair[1])));
}

/** Asks for the key of `provider`, or first for whose. An empty key removes it. */
export async function askForKey(secrets: vscode.SecretStorage, provider?: string): Promise<Given | undefined> {
  const picks = owners.map(({ id, label }) => ({ label, id }));
  const whose = picks.find(({ id }) => id === provider) ?? (await vscode.window.showQuickPick(picks, { title: "texgeist: whose key?" }));
  if (!whose) return undefined;
  const old = await secrets.get(secret(whose.id));
  const key = await vscode.window.showInputBox({
    title: `Key for ${whose.label}`,
    prompt: "Kept in this editor's secret storage, never in a file. Leave it empty to remove the key.",
    value: old,
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined) return undefined;
  await (key ? secrets.store(secret(whose.id), key) : secrets.delete(secret(whose.id)));
  return { provider: whose.id, key };
}
