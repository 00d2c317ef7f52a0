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

  constructor(private readonly cancel: (job: string) => void) {
    this.item.name = "texgeist";
    this.item.command = "texgeist.menu";
    this.show({ state: "offline", message: "Not started.", jobs: [], sends: "" });
    this.item.show();
  }

  show(status: Status): void {
    this.item.text = `${icons[status.state]} texgeist`;
    this.item.tooltip = [status.message, status.sends].filter(Boolean).join("\n\n") || "texgeist is ready.";
    this.item.accessibilityInformation = { label: `texgeist, ${status.state}. ${status.message}` };
    void vscode.commands.executeCommand("setContext", "texgeist.working", status.jobs.length > 0);
    for (const job of status.jobs) this.follow(job);
    const running = new Set(status.jobs.map((job) => job.id));
    for (const [id, notification] of this.shown) {
      if (!running.has(id)) {
        notification.end();
        this.shown.delete(id);
      }
    }
  }

  private follow(job: Job): void {
    const known = this.shown.get(job.id);
    if (known) return known.report(job);
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    let reached = 0;
    const options = { location: vscode.ProgressLocation.Notification, title: job.title, cancellable: true };
    void vscode.window.withProgress(options, (progress, token) => {
      const report = (next: Job): void => {
        const percentage = next.percentage ?? reached;
        progress.report({ message: next.message, increment: Math.max(0, percentage - reached) });
        reached = Math.max(reached, percentage);
      };
      token.onCancellationRequested(() => this.cancel(job.id));
      this.shown.set(job.id, { report, end });
      report(job);
      return ended;
    });
  }

  dispose(): void {
    for (const notification of this.shown.values()) notification.end();
    this.shown.clear();
    this.item.dispose();
  }
}
