/** The ticks of the walkthrough, for what was carried through. */
import * as vscode from "vscode";

export type Step = "install" | "writer" | "papers" | "sample";
const STEPS: readonly Step[] = ["install", "writer", "papers", "sample"];
/** After a tab was opened: on a slow machine the page that it may be takes long to be there. */
const SETTLED_MS: readonly number[] = [1000, 3000, 9000, 27000];
const PULSE_MS = 100;

/** VS Code ticks a step when a context becomes true, and only once the walkthrough was opened: what is true before is
 * never ticked. So what is done is remembered here, and told again when a tab was opened, which may be that page. */
export class Ticks implements vscode.Disposable {
  private readonly tabs: vscode.Disposable;
  private waiting: readonly NodeJS.Timeout[] = [];

  constructor(private readonly state: vscode.Memento) {
    this.tabs = vscode.window.tabGroups.onDidChangeTabs(({ opened }) => opened.length && this.soon());
  }

  async done(step: Step): Promise<void> {
    await this.state.update(key(step), true);
    await pulse(step);
  }

  /** Opens the walkthrough, tells what is done, and has it drawn anew: a step that is ticked while the page is being
   * made is kept, but not shown. */
  async walkthrough(): Promise<void> {
    await open();
    await this.again();
    await open();
  }

  dispose(): void {
    this.forget();
    this.tabs.dispose();
  }

  private soon(): void {
    this.forget();
    this.waiting = SETTLED_MS.map((ms) => setTimeout(() => void this.again(), ms));
  }

  private forget(): void {
    for (const each of this.waiting) clearTimeout(each);
  }

  private async again(): Promise<void> {
    for (const step of STEPS.filter((each) => this.state.get(key(each)))) await pulse(step);
  }
}

const open = () => vscode.commands.executeCommand("workbench.action.openWalkthrough", "texgeist.texgeist#texgeist.start", false);
const key = (step: Step): string => `texgeist.done.${step}`;

async function pulse(step: Step): Promise<void> {
  await vscode.commands.executeCommand("setContext", key(step), true);
  await new Promise((resolve) => setTimeout(resolve, PULSE_MS));
  await vscode.commands.executeCommand("setContext", key(step), false);
}
