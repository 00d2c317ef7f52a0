/** The connection to the language server. */
import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, Middleware, State } from "vscode-languageclient/node";
import { withNeighbours } from "./beside";
import { offerDiscovery } from "./choices";
import { EditorModels } from "./editorModels";
import { storedKeys } from "./keys";
import { Bundle, bundleIn, declareUnused, declareUsed, environmentFor } from "./environment";
import { go, mend, Panels, pick, Pick, Place, reveal } from "./lists";
import { Command, findServer } from "./python";
import { isPage, Page } from "./review";
import { Status, StatusView } from "./status";

/** When the jobs of these commands have ended, the user is asked about discovery. */
const SEARCHES = ["relatedWork", "findCitations", "missingWorks"].map((name) => `texgeist.server.${name}`);

const still = (state: Status["state"], message: string): Status => ({ state, message, jobs: [], sends: "" });

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private forced: vscode.Position | undefined;
  private searched = false;
  private turn: Promise<unknown> = Promise.resolve();
  private readonly panels = new Panels();
  private readonly found = new vscode.EventEmitter<void>();
  /** When another command starts the server than before. */
  readonly onFound = this.found.event;
  readonly log = vscode.window.createOutputChannel("texgeist", { log: true });
  readonly status = new StatusView((job) => void this.execute("cancel", { job }));
  /** What starts the server, once it was found. */
  command: Command | undefined;
  onPage: (page: Page) => void = () => undefined;
  readonly bundle: Bundle;
  private readonly models = new EditorModels((line) => this.log.info(line));

  constructor(private readonly context: vscode.ExtensionContext) {
    this.bundle = bundleIn(context.extensionPath);
  }

  get storage(): string {
    return this.context.globalStorageUri.fsPath;
  }

  /** Whether it runs from an environment of ours that an older version of the extension has made. */
  get outdated(): boolean {
    const program = this.command?.program ?? "";
    return program.startsWith(this.storage) && !program.startsWith(environmentFor(this.storage, this.bundle));
  }

  get running(): boolean {
    return this.client?.state === State.Running;
  }

  /** Starts the server anew; false when there is none to start. One start or stop at a time. */
  start(): Promise<boolean> {
    return this.inTurn(async () => {
      await this.end();
      if (!vscode.workspace.isTrusted) {
        this.status.show(still("idle", "This workspace is not trusted, so nothing is run or sent."));
        return true;
      }
      const command = (this.command = await findServer(this.storage, this.bundle, (line) => this.log.info(line)));
      this.found.fire();
      if (!command) {
        this.status.show(still("problem", "The language server is not installed."));
        return false;
      }
      await declareUsed(this.storage, command.program);
      await this.bringToTerminals(command).catch((error: unknown) => this.log.warn(`No texgeist in the terminals: ${String(error)}`));
      this.log.info(`Starting ${[command.program, ...command.args].join(" ")}`);
      this.client = await this.connect(command);
      await this.client.start();
      await this.ready(true);
      return true;
    });
  }

  /** Puts `texgeist` alone, and not the environment's `python` and `pip`, behind all that is on the PATH of the editor's
   * terminals. A server outside the extension's storage is on their PATH already. */
  private async bringToTerminals({ program }: Command): Promise<void> {
    const variables = this.context.environmentVariableCollection;
    variables.clear();
    variables.description = "`texgeist`, as the editor runs it";
    if (!program.startsWith(this.storage)) return;
    const name = process.platform === "win32" ? "texgeist.exe" : "texgeist";
    const folder = path.join(this.storage, "terminal");
    await fs.promises.mkdir(folder, { recursive: true });
    await fs.promises.copyFile(path.join(path.dirname(program), name), path.join(folder, name));
    variables.append("PATH", path.delimiter + folder);
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.end());
  }

  /** Runs one of the server's commands; they return at once and work in the background. */
  async execute<T>(command: string, argument: object): Promise<T | undefined> {
    if (!this.running) {
      await vscode.commands.executeCommand(vscode.workspace.isTrusted ? "texgeist.install" : "workbench.trust.manage");
      return undefined;
    }
    return vscode.commands.executeCommand<T>(`texgeist.server.${command}`, argument);
  }

  /** Shows the reason at the cursor, also where hovers are left to another extension. */
  async why(editor: vscode.TextEditor): Promise<void> {
    const { uri } = editor.document;
    if (uri.scheme !== "file") return this.execute<void>("why", { uri: uri.toString() }); // the server says why not
    this.forced = editor.selection.active;
    await vscode.commands.executeCommand("editor.action.showHover");
  }

  /** The user has chosen another writer: the editor's models are opened to the server, or closed. */
  async writerChanged(): Promise<void> {
    const key = (await this.models.keys()).editor ?? "";
    if (this.running) await this.execute("setKey", { provider: "editor", key });
  }

  dispose(): void {
    void this.stop();
    this.models.dispose();
    this.status.dispose();
    this.log.dispose();
    this.found.dispose();
    this.panels.dispose();
  }

  private inTurn<T>(run: () => Promise<T>): Promise<T> {
    const next = this.turn.then(run, run);
    this.turn = next.catch(() => undefined);
    return next;
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await this.ready(false);
    await client?.dispose().catch((error: unknown) => this.log.warn(String(error)));
    await declareUnused(this.storage);
  }

  private ready(is: boolean): Thenable<unknown> {
    return vscode.commands.executeCommand("setContext", "texgeist.ready", is);
  }

  private async connect(command: Command): Promise<LanguageClient> {
    const run = { command: command.program, args: [...command.args], options: { cwd: command.cwd, env: { ...process.env, PYTHONUNBUFFERED: "1" } } };
    const client = new LanguageClient("texgeist", "texgeist", run, await this.options());
    client.registerProposedFeatures(); // inline completion
    client.onNotification("texgeist/status", (status: Status) => {
      this.status.show(status);
      if (this.searched && !status.jobs.length) void offerDiscovery(this.context.globalState);
    });
    client.onRequest("texgeist/choosePapers", async () => (await vscode.commands.executeCommand("texgeist.choosePapers")) === true);
    client.onNotification("texgeist/problem", mend);
    client.onNotification("texgeist/pick", async (given: Pick) => this.execute("picked", { id: given.id, chosen: await pick(given) }));
    client.onNotification("texgeist/panel", ({ title, markdown }: { title: string; markdown: string }) => void this.panels.show(title, markdown));
    client.onNotification("texgeist/reveal", reveal);
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped && client === this.client) {
        this.status.show(still("problem", "The language server has stopped. “Restart” starts it again; the log says why."));
      }
    });
    return client;
  }

  private async options(): Promise<LanguageClientOptions> {
    const pattern = "**/{*.tex,*.bib,*.ltx,_quarto.yml,.latexmkrc,.texgeist/provenance.json}";
    return {
      documentSelector: ["latex", "tex", "bibtex", "quarto", "rmd", "markdown"].map((language) => ({ scheme: "file", language })),
      outputChannel: this.log,
      synchronize: {
        configurationSection: "texgeist",
        fileEvents: vscode.workspace.createFileSystemWatcher(pattern),
      },
      initializationOptions: {
        client: "vscode",
        trusted: true,
        keys: { ...(await storedKeys(this.context.secrets)), ...(await this.models.keys()) },
        settings: withNeighbours(vscode.workspace.getConfiguration().get("texgeist")),
      },
      markdown: { isTrusted: false, supportHtml: false },
      middleware: this.middleware(),
    };
  }

  private middleware(): Middleware {
    return {
      executeCommand: async (command, args, next) => {
        const [given, ...rest] = args as unknown[];
        const answer: unknown = await next(command, [{ ...(given as object), quiet: true }, ...rest]); // the panel, no browser
        this.searched ||= SEARCHES.includes(command);
        if (isPage(answer)) this.onPage(answer);
        const place = (answer as { place?: Place } | undefined)?.place;
        if (place) await go(place);
        return answer;
      },
      provideHover: async (document, position, token, next) => {
        const forced = this.forced?.isEqual(position);
        this.forced = undefined;
        if (!forced) return next(document, position, token);
        const answer = await this.execute<{ markdown: string }>("why", { uri: document.uri.toString(), position });
        return new vscode.Hover(new vscode.MarkdownString(answer?.markdown || "There is no citation at the cursor."));
      },
      // With a list open, VS Code shows no grey text. The client's version 9 sends VS Code's context in a form that the
      // server refuses, which VS Code would report to the user; the server needs no context.
      provideInlineCompletionItems: (document, position, { selectedCompletionInfo }, token, next) =>
        selectedCompletionInfo ? undefined : next(document, position, { triggerKind: 1, selectedCompletionInfo }, token),
      workspace: {
        configuration: async (params, token, next) => {
          const found = await next(params, token);
          if (!Array.isArray(found)) return found;
          return found.map((value, at) => (params.items[at]?.section === "texgeist" ? withNeighbours(value) : value));
        },
      },
    };
  }
}
