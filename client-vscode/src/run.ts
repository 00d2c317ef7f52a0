/** Programs that take a while, with their lines as progress, and cancel. */
import { ChildProcess, spawn } from "node:child_process";
import * as vscode from "vscode";

export type Say = (message: string) => void;

/** A program that ended badly, with its last lines. */
export class Failed extends Error {
  constructor(
    message: string,
    readonly lines: readonly string[],
    readonly code: number | null,
  ) {
    super(message);
  }
}

/** Runs a program and hands its lines on; rejects with its last lines when it fails. */
export function run(
  program: string,
  args: string[],
  report: Say,
  log: vscode.LogOutputChannel,
  token: vscode.CancellationToken,
  cwd?: string,
  variables: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(program, args, { cwd, env: { ...variables, NO_COLOR: "1", COLUMNS: "100", TEXGEIST_PROGRESS: "lines" } });
    const last: string[] = [];
    const listen = (chunk: Buffer): void => {
      for (const line of chunk.toString("utf8").split(/[\r\n]+/).filter((text) => text.trim())) {
        log.info(line);
        report(line.trim());
        last.push(line.trim());
        if (last.length > 50) last.shift();
      }
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.on("error", reject);
    child.on("close", (code) => {
      if (token.isCancellationRequested) reject(new vscode.CancellationError());
      else if (code === 0) resolve();
      else reject(new Failed(last.slice(-5).join("\n") || `${program} ended with ${code}`, last, code));
    });
    token.onCancellationRequested(() => child.kill());
  });
}
