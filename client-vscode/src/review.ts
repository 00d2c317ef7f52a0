/** The review panel: the server's own page in a webview, its requests handed on from here. */
import * as crypto from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";

/** What the server answers: where the page is served, and the folder that holds its files. */
export interface Page {
  readonly url: string;
  readonly page: string;
}

interface Asked {
  readonly id: number;
  readonly path: string;
  readonly body?: unknown;
}

/** A request of the page; the server refuses those that it does not know. */
const PATHS = /^api\/[a-z]+(\?after=\d+)?$/;

export const isPage = (answer: unknown): answer is Page =>
  typeof (answer as Page | undefined)?.url === "string" && typeof (answer as Page).page === "string";

export class ReviewPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private url = "";

  async open({ url, page }: Page): Promise<void> {
    const folder = vscode.Uri.file(page);
    this.panel?.dispose();
    this.url = url;
    this.panel = vscode.window.createWebviewPanel("texgeist.review", "Review: related work", vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [folder],
      retainContextWhenHidden: true,
    });
    this.panel.webview.onDidReceiveMessage((asked: Asked) => this.answer(asked));
    this.panel.onDidDispose(() => (this.panel = undefined));
    this.panel.webview.html = await this.html(this.panel.webview, folder);
  }

  dispose(): void {
    this.panel?.dispose();
  }

  /** The page of the server, with its files' addresses and a policy that lets nothing else in. */
  private async html(webview: vscode.Webview, folder: vscode.Uri): Promise<string> {
    const source = await fs.promises.readFile(path.join(folder.fsPath, "index.html"), "utf8");
    const base = `${webview.asWebviewUri(folder).toString()}/`;
    const nonce = crypto.randomBytes(16).toString("base64");
    const policy = `default-src 'none'; script-src 'nonce-${nonce}' ${webview.cspSource}; style-src ${webview.cspSource}; img-src ${webview.cspSource} data:; font-src ${webview.cspSource}`;
    return source
      .replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`)
      .replace(/(href|src)="\.\/([\w.-]+)"/g, (_, name: string, file: string) => `${name}="${base}${file}"`)
      .replace("<script ", `<script nonce="${nonce}" `);
  }

  private async answer({ id, path: asked, body }: Asked): Promise<void> {
    const answer = await this.ask(asked, body).catch((error: unknown) => ({
      ok: false,
      body: { error: `The language server does not answer: ${error instanceof Error ? error.message : String(error)}` },
    }));
    await this.panel?.webview.postMessage({ id, ...answer });
  }

  private async ask(asked: string, body: unknown): Promise<{ ok: boolean; body: unknown }> {
    if (!PATHS.test(asked)) throw new Error(`no such request: ${asked}`);
    const post = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(this.url + asked, body === undefined ? {} : post);
    return { ok: response.ok, body: await response.json() };
  }
}
