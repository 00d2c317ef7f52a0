/** The status bar item, and one cancellable notification for each running job. */
import * as vscode from "vscode";

export interface Job {
  readonly id: string;
  readonly title: string;
  readonly message: string;
  readonly percentage: number | null;
}

export interface Status {
  readonly state: "idle" | "working" | "offline" | "problem";
  readonly message: string;
  readonly jobs: readonly Job[];
  readonly sends: string;
}

const icons = { idle: "$(book)", working: "$(sync~spin)", offline: "$(debug-disconnect)", problem: "$(warning)" };

interface Shown {
  readonly report: (job: Job) => void;
  readonly end: () => void;
}

export class StatusView implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("texgeist", vscode.StatusBarAlignment.Right, 50);
  private readonly shown = new Map<string, Shown>();
  working = false;
  /** What is going on and what would leave the machine, in words. */
  words = "";

  constructor(private readonly cancel: (job: string) => void) {
    this.item.name = "texgeist";
    this.item.command = "texgeist.menu";
    this.show({ state: "offline", message: "Not started.", jobs: [], sends: "" });
    this.item.show();
  }

  show(status: Status): void {
    this.item.text = `${icons[status.state]} texgeist`;
    this.working = status.jobs.length > 0;
    this.words = [status.message || "Ready.", status.sends || "Nothing leaves this machine."].join(" ");
    this.item.tooltip = this.words;
    this.item.accessibilityInformation = { label: `texgeist, ${status.state}. ${status.message}` };
    void vscode.commands.executeCommand("setContext", "texgeist.working", this.working);
    for (const job of status.jobs) this.follow(job);
    const running = new Set(status.jobs.map((job) => job.id));
    for (const [id, notification] of this.shown) {
      if (!running.has(id)) {
        notification.end();
        this.shown.delete(id);
      }
    }
  }

  /** One notification a job. It is noted at once, since the editor opens it a moment later. */
  private follow(job: Job): void {
    const known = this.shown.get(job.id);
    if (known) return known.report(job);
    let latest = job;
    let report = (next: Job): void => void (latest = next);
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    this.shown.set(job.id, { report: (next) => report(next), end });
    const options = { location: vscode.ProgressLocation.Notification, title: `texgeist: ${job.title}`, cancellable: true };
    void vscode.window.withProgress(options, (progress, token) => {
      token.onCancellationRequested(() => this.cancel(job.id));
      let reached = 0;
      report = (next) => {
        const percentage = Math.max(reached, next.percentage ?? 0);
        progress.report({ message: next.message, increment: percentage - reached });
        reached = percentage;
      };
      report(latest);
      return ended;
    });
  }

  dispose(): void {
    for (const notification of this.shown.values()) notification.end();
    this.shown.clear();
    this.item.dispose();
  }
}
