/** Questions to the user that end in a setting: what may be sent where, and which papers are searched. */
import * as vscode from "vscode";
import { providers } from "./declared";
import { askForKey } from "./keys";
import { addBibliographies, addToLibrary } from "./library";
import { Server } from "./server";

type Provider = (typeof providers)[number];

interface Choice extends vscode.QuickPickItem {
  /** Whether it was carried through: each of its questions can be left. */
  readonly run: () => Thenable<boolean>;
}

const set = async (name: string, value: unknown): Promise<boolean> => {
  await vscode.workspace.getConfiguration("texgeist").update(name, value, vscode.ConfigurationTarget.Global);
  return true;
};

interface ModelServer {
  readonly name: string;
  readonly address: string;
  readonly models: readonly { readonly name: string; readonly remark: string }[];
}

/** Returns whether something was chosen and carried through. */
async function choose(title: string, choices: Choice[]): Promise<boolean> {
  const choice = await vscode.window.showQuickPick(choices, { title, ignoreFocusOut: true, matchOnDetail: true });
  return (await choice?.run()) ?? false;
}

/** The models of servers that run on this machine, and of the editor, by name. Nothing is sent to them for this. */
async function modelsHere(server: Server): Promise<Choice[]> {
  const found = server.running ? await server.execute<{ servers: ModelServer[] }>("modelServers", {}) : undefined;
  const served = (found?.servers ?? []).flatMap(({ name, address, models }) =>
    models.map((model) => ({
      label: model.name,
      description: `${name}, on this machine`,
      detail: model.remark || "Your text and the papers stay on this machine.",
      run: async () => (await set("writer.baseUrl", address)) && (await set("writer.model", model.name)) && set("writer.provider", "openai"),
    })),
  );
  const offered = (await vscode.lm?.selectChatModels()) ?? []; // other editors with VS Code's extensions may lack it
  const editors = offered.slice(0, 5).map(({ id, name, vendor }) => ({
    label: name,
    description: `${vendor}, in this editor`,
    detail: "Title, abstract and introduction (or all pages) of your draft, and passages of papers, are sent to this model.",
    run: async () => (await set("writer.model", id)) && set("writer.provider", "editor"),
  }));
  return [...served, ...editors];
}

export const chooseWriter = async (context: vscode.ExtensionContext, server: Server): Promise<boolean> =>
  choose("texgeist: who writes, and what may be sent where?", [
    {
      label: "Nothing leaves this machine",
      description: "extractive",
      detail: "Notes that quote the papers' abstracts and pages. No model, no key.",
      run: () => set("writer.provider", "extractive"),
    },
    ...(await modelsHere(server)),
    ...providers.map((each) => ({
      label: each.label,
      description: each.needs,
      detail: `Title, abstract and introduction (or all pages) of your draft, and passages of papers, are sent to ${each.reaches}.`,
      run: () => pick(context, server, each),
    })),
  ]);

async function pick(context: vscode.ExtensionContext, server: Server, { id, addressed, keyed }: Provider): Promise<boolean> {
  if (addressed) {
    const address = await vscode.window.showInputBox({
      title: "Address of the server",
      prompt: "Leave it empty to use the provider's address.",
      placeHolder: "http://127.0.0.1:11434/v1",
      ignoreFocusOut: true,
    });
    if (address === undefined) return false;
    await set("writer.baseUrl", address);
  }
  if (keyed) {
    const given = await askForKey(context.secrets, id);
    if (!given) return false;
    if (server.running) await server.execute("setKey", given);
  }
  const writer = vscode.workspace.getConfiguration("texgeist.writer");
  if (writer.get("provider") !== id) {
    await set("writer.model", undefined); // that of another provider
    if (!addressed) await set("writer.baseUrl", undefined);
  }
  return set("writer.provider", id);
}

const SENT_TO_DISCOVER =
  "the draft's title, its key words and up to two of its sentences with citations, reduced to words (or the topics and titles of works that your language model names for it), the sentence that you want to cite for, and DOIs, arXiv ids and titles of the works that the draft cites. What they find stays on this machine.";

const discoverAlways = (): Promise<boolean> => set("index.discover", ["openalex", "semanticscholar", "arxiv", "crossref"]);

/** Asks the user, once, whether papers may be discovered for every draft. The answer becomes the user's setting. */
export async function offerDiscovery(state: vscode.Memento): Promise<void> {
  const chosen = vscode.workspace.getConfiguration("texgeist").inspect("index.discover")?.globalValue;
  if (chosen !== undefined || state.get("offeredDiscovery")) return;
  await state.update("offeredDiscovery", true);
  const allow = "Discover for Every Draft";
  const answer = await vscode.window.showInformationMessage(
    `Whenever you search for papers, texgeist can also ask OpenAlex, Semantic Scholar, arXiv and Crossref for papers that your library lacks. They would receive ${SENT_TO_DISCOVER} Without your consent, nothing is sent to them. The setting texgeist.index.discover keeps your answer.`,
    allow,
    "Never",
  );
  if (answer) await (answer === allow ? discoverAlways() : set("index.discover", []));
}

const inLibrary = (add: () => Promise<boolean>) => async (): Promise<boolean> => (await set("index.location", "library")) && add();

export const choosePapers = (context: vscode.ExtensionContext, server: Server): Promise<boolean> =>
  choose("texgeist: which papers are searched?", [
    {
      label: "Also discover papers for each draft",
      description: "in OpenAlex, Semantic Scholar, arXiv and Crossref",
      detail: `They receive ${SENT_TO_DISCOVER}`,
      run: discoverAlways,
    },
    {
      label: "Your own library",
      description: "in a file on this machine",
      detail: "Nothing leaves this machine. Choose .bib files to add, or leave it as it is.",
      run: inLibrary(() => addBibliographies(server)),
    },
    {
      label: "Zotero, in your own library",
      description: "as it runs on this machine",
      detail: "Nothing leaves this machine. Run it again at any time: only new papers are added.",
      run: inLibrary(() => addToLibrary(server, ["zotero"])),
    },
    {
      label: "The sample library, in your own",
      description: "314 papers, to try texgeist",
      detail: "Nothing leaves this machine. Takes a few seconds: it includes the vectors.",
      run: inLibrary(() => addToLibrary(server, [vscode.Uri.joinPath(context.extensionUri, "examples", "library.bib").fsPath])),
    },
    {
      label: "arXiv, as hosted by the authors of Citegeist",
      description: "needs their token",
      detail: "The vector of your text (numbers, not its words) is sent there.",
      run: () => hosted(context, server, "citegeist"),
    },
    {
      label: "A field of arXiv, in your own library",
      description: "cs.CL, math.CO, …",
      detail: "Titles and abstracts are downloaded; nothing of your text is sent.",
      run: async () => {
        const categories = await askForCategories();
        if (!categories?.length) return false;
        await set("index.location", "library");
        await server.execute("sync", { categories });
        return true;
      },
    },
    {
      label: "Another Milvus server or file…",
      detail: "If it is a server, the vector of your text (numbers, not its words) is sent there.",
      run: async () => {
        const location = await vscode.window.showInputBox({
          title: "Address of the Milvus server, or path of the file",
          placeHolder: "http://127.0.0.1:19530",
          ignoreFocusOut: true,
        });
        return location ? hosted(context, server, location) : false;
      },
    },
  ]);

async function hosted(context: vscode.ExtensionContext, server: Server, location: string): Promise<boolean> {
  const given = await askForKey(context.secrets, "milvus");
  if (!given) return false;
  if (server.running) await server.execute("setKey", given);
  return set("index.location", location);
}

async function askForCategories(): Promise<string[] | undefined> {
  const given = await vscode.window.showInputBox({
    title: "Which categories of arXiv?",
    prompt: "One or more, separated by spaces.",
    placeHolder: "cs.CL cs.IR",
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^\s*([a-z-]+(\.[A-Za-z-]+)?[\s,]*)*$/.test(text) ? undefined : "Categories look like cs.CL, or cs for all of computer science.",
  });
  return given?.split(/[\s,]+/).filter(Boolean);
}
