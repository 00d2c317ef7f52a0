/** API keys live in the editor's secret storage and travel to the server's memory, nowhere else. */
import * as vscode from "vscode";

const providers = [
  { id: "anthropic", label: "Anthropic" },
  { id: "openai", label: "OpenAI, or a server that speaks its protocol" },
  { id: "milvus", label: "Milvus (user:password)" },
] as const;

const secret = (provider: string): string => `texgeist.key.${provider}`;

export async function storedKeys(secrets: vscode.SecretStorage): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { id } of providers) {
    const key = await secrets.get(secret(id));
    if (key) found[id] = key;
  }
  return found;
}

/** Asks for a provider and its key; an empty key removes it. Returns what was set. */
export async function askForKey(
  secrets: vscode.SecretStorage,
): Promise<{ provider: string; key: string } | undefined> {
  const picks = providers.map(({ id, label }) => ({ label, id }));
  const provider = await vscode.window.showQuickPick(picks, { title: "texgeist: whose key?" });
  if (!provider) return undefined;
  const key = await vscode.window.showInputBox({
    title: `Key for ${provider.label}`,
    prompt: "Kept in this editor's secret storage. Leave it empty to remove it.",
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined) return undefined;
  await (key ? secrets.store(secret(provider.id), key) : secrets.delete(secret(provider.id)));
  return { provider: provider.id, key };
}
