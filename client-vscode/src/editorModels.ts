/**
 * The language models that the user has in the editor, for the server: a door on this machine that speaks as much of
 * OpenAI's protocol as the server asks for. It is open only while `writer.provider` is "editor", and answers only to
 * the token that this session's server was given. Whether texgeist may use a model is the editor's own question.
 */
import { randomBytes, timingSafeEqual } from "crypto";
import { createServer, IncomingMessage, Server, ServerResponse } from "http";
import { AddressInfo } from "net";
import * as vscode from "vscode";

const LARGEST = 16 * 1024 * 1024; // bytes of a request
const LONGEST = 4 * 1024 * 1024; // characters of an answer
const WHY = "texgeist writes what you asked for from the papers that it found.";

interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** What is wrong with a request, as a status and a sentence. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export class EditorModels implements vscode.Disposable {
  private door: Promise<{ server: Server; key: string }> | undefined;

  constructor(private readonly log: (line: string) => void) {}

  /** The key by which the server reaches the editor's models; none where the user has not chosen them. */
  async keys(): Promise<{ editor?: string }> {
    if (vscode.workspace.getConfiguration("texgeist").get("writer.provider") !== "editor") {
      this.dispose();
      return {};
    }
    this.door ??= open(this.log);
    return { editor: (await this.door).key };
  }

  dispose(): void {
    void this.door?.then(({ server }) => {
      server.close();
      server.closeAllConnections();
    });
    this.door = undefined;
  }
}

async function open(log: (line: string) => void): Promise<{ server: Server; key: string }> {
  const token = randomBytes(32).toString("hex");
  const server = createServer((request, response) => void answer(request, response, token, log));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return { server, key: `${(server.address() as AddressInfo).port}:${token}` };
}

async function answer(request: IncomingMessage, response: ServerResponse, token: string, log: (line: string) => void): Promise<void> {
  const stop = new vscode.CancellationTokenSource();
  response.on("close", () => stop.cancel());
  try {
    admit(request, token);
    const asked = read(await body(request));
    const model = await chosen(asked.model);
    const messages = asked.messages.map(({ role, content }) =>
      role === "assistant" ? vscode.LanguageModelChatMessage.Assistant(content) : vscode.LanguageModelChatMessage.User(content),
    );
    const said = await model.sendRequest(messages, { justification: WHY }, stop.token);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for await (const piece of listened(said.text, stop.token)) response.write(event(model.id, { content: piece }, null));
    if (stop.token.isCancellationRequested) return;
    response.end(`${event(model.id, {}, "stop")}data: [DONE]\n\n`);
  } catch (error) {
    if (stop.token.isCancellationRequested) return;
    stop.cancel(); // it may be talking still
    log(`The editor's model did not answer: ${String(error)}`);
    if (response.headersSent) return void response.destroy();
    const { status, message } = told(error);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error: { message } }));
  } finally {
    stop.dispose();
  }
}

/** What the model says while somebody listens, in bounds: a model need neither heed a cancel nor come to an end. */
async function* listened(text: AsyncIterable<string>, stop: vscode.CancellationToken): AsyncGenerator<string> {
  const left = new Promise<undefined>((gone) => stop.onCancellationRequested(() => gone(undefined)));
  const pieces = text[Symbol.asyncIterator]();
  for (let length = 0; !stop.isCancellationRequested; ) {
    const next = await Promise.race([pieces.next(), left]);
    if (!next || next.done) return;
    length += next.value.length + 32; // an event's own, that of an empty piece too
    if (length > LONGEST) throw new Error("its answer does not end");
    yield next.value;
  }
}

/** Only the server that was given the token, and no page that a browser has open. */
function admit(request: IncomingMessage, token: string): void {
  const given = Buffer.from(request.headers.authorization ?? ""), wanted = Buffer.from(`Bearer ${token}`);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw new Refusal(401, "Only texgeist's server may use this address.");
  if (request.headers.host !== `127.0.0.1:${request.socket.localPort}`) throw new Refusal(403, "This address has another name.");
  if (request.method !== "POST" || request.url !== "/v1/chat/completions") throw new Refusal(404, "Unknown request.");
}

async function body(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > LARGEST) throw new Refusal(413, "The request is too large.");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** What is asked; a form that these models do not take is refused by its name, and the server asks without it. */
function read(text: string): Asked {
  const given = JSON.parse(text) as Asked & { readonly tools?: unknown; readonly response_format?: unknown };
  if (given.tools) throw new Refusal(400, "The editor's models are not given tools.");
  if (given.response_format) throw new Refusal(400, "The editor's models support no response_format.");
  return given;
}

/** The model of this id, family or name; "auto" is the first that the editor offers. */
async function chosen(wanted: string): Promise<vscode.LanguageModelChat> {
  const models = await vscode.lm.selectChatModels();
  const model = wanted === "auto" ? models[0] : models.find(({ id, family, name }) => [id, family, name].includes(wanted));
  if (model) return model;
  const names = models.map(({ id }) => id).join(", ");
  throw new Refusal(404, names ? `The editor has no model ${wanted}; it has ${names}.` : "The editor has no language model: sign in to one, GitHub Copilot's for example.");
}

function told(error: unknown): { status: number; message: string } {
  if (error instanceof Refusal) return error;
  if (!(error instanceof vscode.LanguageModelError)) return { status: 500, message: String(error) };
  const status = { NoPermissions: 400, Blocked: 400, NotFound: 404 }[error.code] ?? 500; // 400: the words are passed on
  return { status, message: error.message };
}

function event(model: string, delta: object, reason: string | null): string {
  const chunk = { id: "editor", object: "chat.completion.chunk", created: 0, model, choices: [{ index: 0, delta, finish_reason: reason }] };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
