/** The connection to the language server. */
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, State } from "vscode-languageclient/node";
import { storedKeys } from "./keys";
import { Command, findServer } from "./python";
import { Status, StatusView } from "./status";

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  readonly log = vscode.window.createOutputChannel("texgeist", { log: true });
  readonly status = new StatusView((job) => void this.execute("cancel", { job }));

  constructor(private readonly context: vscode.ExtensionContext) {}

  get storage(): string {
    return this.context.globalStorageUri.fsPath;
  }

  get running(): boolean {
    return this.client?.state === State.Running;
  }

  /** Starts the server; false when no Python with texgeist is to be found. */
  async start(): Promise<boolean> {
    await this.stop();
    const command = await findServer(this.storage);
    if (!command) {
      this.status.show({ state: "problem", message: "The language server is not installed.", jobs: [], sends: "" });
      return false;
    }
    this.client = await this.connect(command);
    await this.client.start();
    return true;
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose();
  }

  /** Runs one of the server's commands; they return at once and work in the background. */
  async execute<T>(command: string, ...args: unknown[]): Promise<T | undefined> {
    if (!this.client) {
      await vscode.commands.executeCommand("texgeist.install");
      return undefined;
    }
    const request = { command: `texgeist.server.${command}`, arguments: args };
    return this.client.sendRequest<T>("workspace/executeCommand", request);
  }

  private async connect(command: Command): Promise<LanguageClient> {
    const options = { env: { ...process.env, PYTHONUNBUFFERED: "1" } };
    const server: ServerOptions = { command: command.program, args: [...command.args], options };
    const client = new LanguageClient("texgeist", "texgeist", server, await this.options());
    client.onNotification("texgeist/status", (status: Status) => this.status.show(status));
    return client;
  }

  private async options(): Promise<LanguageClientOptions> {
    return {
      documentSelector: ["latex", "tex", "bibtex"].map((language) => ({ scheme: "file", language })),
      outputChannel: this.log,
      synchronize: {
        configurationSection: "texgeist",
        fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{tex,bib,ltx}"),
      },
      initializationOptions: {
        client: "vscode",
        trusted: vscode.workspace.isTrusted,
        keys: await storedKeys(this.context.secrets),
        settings: vscode.workspace.getConfiguration("texgeist"),
      },
      markdown: { isTrusted: false, supportHtml: false },
    };
  }

  dispose(): void {
    void this.stop();
    this.status.dispose();
    this.log.dispose();
  }
}
