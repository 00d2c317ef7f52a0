// window.mjs PORT FOLDER SHOTS [PART]: the editor's window, used as a person does. SHOTS "" takes no pictures.
// PART: "writing"; "citing", with a bibliography that fits the sentences; or "judging", with a model that finds a sentence of main.tex unsupported.
import fs from "node:fs";
import path from "node:path";
import { browser, capture, check, end, threw } from "../browser.mjs";

const [, , port, folder, shots, part = "writing"] = process.argv;
const page = await browser.newPage({ viewport: { width: 1160, height: 720 } });
page.setDefaultTimeout(40000);
/** A picture, of the whole window or of what `clip` holds. */
const shot = async (name, clip) => {
  if (!shots) return;
  await page.waitForTimeout(600); // what fades in has done so
  await capture(page, path.join(shots, `${name}.webp`), clip);
};
/** What surrounds an element, for a picture of it. */
const around = async (locator, { left = 12, top = 12, width = 0, height = 0 } = {}) => {
  const box = await locator.boundingBox();
  const x = Math.max(0, box.x - left), y = Math.max(0, box.y - top);
  return { x, y, width: Math.max(width, box.width + 2 * left), height: Math.max(height, box.height + 2 * top) };
};
/** The palette with `text` typed, and `row` in its list. A page that has just been opened may take the focus, and with it the key or the list: it is asked for again. */
const palette = async (text, row = ".quick-input-list .monaco-list-row:visible", key = "F1") => {
  for (let tries = 1; ; tries += 1) {
    const limit = tries < 5 ? { timeout: 8000 } : {};
    try {
      await page.keyboard.press(key);
      await page.waitForSelector(".quick-input-widget:visible", limit);
      await page.keyboard.type(text, { delay: 5 });
      return await page.waitForSelector(row, limit);
    } catch (error) {
      if (!limit.timeout) throw error;
      await closed();
    }
  }
};
const chosen = async (text) => {
  await palette(text, `.quick-input-list .monaco-list-row.focused[aria-label*="${text}"]:visible`);
  await page.keyboard.press("Enter");
};
/** Leaves the list that is open, if one is, and waits until it is gone: what is typed next is not for it. */
const closed = async () => {
  const list = page.locator(".quick-input-widget");
  const input = list.locator("input:visible").first(); // a key that does not meet the list would leave the page below
  if (await input.count()) await input.press("Escape", { timeout: 4000 }).catch(() => {});
  await list.waitFor({ state: "hidden" });
};
/** Whether the palette has this command: asked by its whole name, for a long list is only rendered where it is seen. */
const offers = async (text) => {
  await palette(text);
  const rows = await page.locator(".quick-input-list .monaco-list-row").allInnerTexts();
  await closed();
  return rows.some((row) => row.includes(text));
};
const open = async (name) => {
  await palette(name, `.quick-input-list .monaco-list-row.focused[aria-label*="${name}"]`, "Control+P");
  await page.keyboard.press("Enter");
  await page.waitForSelector(`.tab.active[data-resource-name="${name}"]`);
};
/** Until the cursor is there: on a busy machine Enter may come before the editor has read the number. */
const goTo = async (place) => {
  const line = place.split(":")[0];
  const there = () => page.waitForFunction((at) => [...document.querySelectorAll(".statusbar-item")].some((item) => item.textContent.includes(`Ln ${at},`)), line, { timeout: 4000 });
  for (let tries = 0; tries < 4; tries += 1) {
    await page.keyboard.press("Control+G");
    if (!(await page.waitForSelector(".quick-input-widget:visible", { timeout: 8000 }).catch(() => null))) continue;
    await page.keyboard.type(place);
    await page.keyboard.press("Enter");
    if (await there().then(() => true, () => false)) return;
  }
};
const toasts = () => page.locator(".notification-toast");
const quiet = async () => {
  await chosen("Notifications: Clear All Notifications");
  await page.waitForFunction(() => !document.querySelector(".notification-toast"));
};
const ended = () => page.waitForSelector('.statusbar-item[aria-label^="texgeist, idle"]', { timeout: 90000 });
const onDisk = (...name) => fs.readFileSync(path.join(folder, ...name), "utf8");
/** The line of main.tex on which a generated section begins. */
const sectionLine = () => onDisk("main.tex").split("\n").findIndex((line) => line.includes("texgeist:begin")) + 1;

const original = onDisk("references.bib");

/** The abstract with its lens: the server has started. */
const abstract = async () => {
  await open("abstract.tex");
  await page.waitForSelector(".codelens-decoration a:has-text('Write related work')", { timeout: 120000 });
};

async function asked() {
  await abstract();
  check("code lens in the window", true);
  const writes = await offers("texgeist: Write Related Work from the Abstract");
  check("palette", writes && !(await offers("texgeist: Install the Language Server")) && !(await offers("texgeist: Find Citations")));
  await goTo("3:10");
  await page.waitForSelector('[class*="codicon-gutter-lightbulb"], .lightBulbWidget', { state: "attached" });
  await page.keyboard.press("Control+.");
  await page.waitForSelector(".action-widget .monaco-list-row");
  const actions = await page.locator(".action-widget .monaco-list-row").allInnerTexts();
  check("light bulb", actions.some((text) => text.includes("texgeist: write related work from the abstract")), actions.join(" | ").replace(/\s+/g, " "));
  await shot("light-bulb");
  for (let count = 0; count < 8; count += 1) {
    if ((await page.locator(".action-widget .monaco-list-row.focused").innerText()).includes("related work from the abstract")) break;
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
}

async function cancelled() {
  const toast = toasts().filter({ hasText: "related work from the abstract" }).first();
  await toast.waitFor();
  check("progress in a notification", true, (await toast.innerText()).replace(/\s+/g, " "));
  await toast.hover();
  await toast.locator(".monaco-button", { hasText: "Cancel" }).click();
  await ended();
  check("cancel by its button", sectionLine() === 0);
  const question = toasts().filter({ hasText: "ask OpenAlex, Semantic Scholar, arXiv and Crossref" });
  await question.getByRole("button", { name: "Never" }).click();
  await page.waitForFunction(() => ![...document.querySelectorAll(".notification-toast")].some((toast) => toast.textContent.includes("OpenAlex")));
  check("discovery is asked about", true);
  await quiet();
}

async function written() {
  await chosen("texgeist: Write Related Work from the Abstract");
  const toast = toasts().filter({ hasText: "related work from the abstract" }).first();
  await toast.waitFor();
  await shot("progress");
  await page.waitForSelector('.tab[data-resource-name="main.tex"]', { timeout: 90000 });
  await ended();
  await page.waitForSelector('.tab[data-resource-name="references.bib"]');
  await quiet();
  await chosen("File: Save All");
  await page.waitForFunction(() => !document.querySelector(".tab.dirty"));
  const line = sectionLine();
  check("section saved", line > 0);
  await open("main.tex");
  await goTo(`${line + 12}:1`);
  await page.waitForSelector(".codelens-decoration a:has-text('Review')");
  check("lens over the section in the window", /papers?, /.test(await page.locator(".codelens-decoration", { hasText: "Review" }).first().innerText()));
  await shot("result");
}

async function hovered() {
  const lines = onDisk("main.tex").split("\n"), from = sectionLine();
  const at = lines.findIndex((line, index) => index >= from && /\\cite[a-z]*\{/.test(line));
  const column = lines[at].search(/\\cite[a-z]*\{/) + /\\cite[a-z]*\{/.exec(lines[at])[0].length + 3;
  await goTo(`${at + 1}:${column}`);
  await chosen("texgeist: Why Is This Citation Here?");
  await page.waitForSelector(".monaco-hover:visible .hover-contents");
  await page.waitForFunction(() => [...document.querySelectorAll(".monaco-hover")].some((each) => /similarity/i.test(each.textContent)));
  const words = (await page.locator(".monaco-hover:visible").first().innerText()).replace(/\s+/g, " ");
  check("hover in the window", /similarity/i.test(words), words.slice(0, 160));
  await shot("hover");
  await shot("walkthrough-try", await around(page.locator(".monaco-hover:visible").first(), { left: 20, top: 8 }));
  await page.keyboard.press("Escape");
}

async function undone() {
  await goTo("1:1");
  await page.keyboard.press("Control+Z");
  const dialog = page.locator(".monaco-dialog-box");
  await page.waitForSelector(".monaco-dialog-box, .tab.dirty[data-resource-name='main.tex']");
  const asks = await dialog.count();
  if (asks) await dialog.locator(".monaco-button").first().click();
  await page.waitForSelector(".tab.dirty[data-resource-name='main.tex']");
  await chosen("File: Save All");
  await page.waitForFunction(() => !document.querySelector(".tab.dirty"));
  check("one undo in the window", sectionLine() === 0, asks ? "after a question" : "without a question");
  check("the bibliography is there after undo", onDisk("references.bib").startsWith(original.trimEnd()), `${onDisk("references.bib").length} characters`);
}

/** A sentence that needs a citation: the entry in grey, taken with Tab; then the entries that fit, each with the reason. */
async function cited() {
  await page.setViewportSize({ width: 1160, height: 900 }); // room for the list below the line
  await abstract();
  await open("introduction.tex");
  await goTo(`${onDisk("sections", "introduction.tex").split("\n").indexOf("passages that they cite.") + 1}:1`);
  await page.keyboard.press("End");
  await page.keyboard.type("\nWith Self-RAG, a model retrieves passages and then critiques its own text", { delay: 30 });
  const words = page.locator(".suggest-widget.visible"); // other words that begin with "text": it does not open each time
  const grey = page.waitForFunction(() => [...document.querySelectorAll(".view-line")].some((line) => line.textContent.endsWith("text~\\citep{asai2023selfrag}")));
  await Promise.race([words.waitFor(), grey]);
  if (await words.count()) await page.keyboard.press("Escape");
  await grey;
  check("a citation is offered in grey", !(await toasts().filter({ hasText: "failed" }).count()));
  const line = await page.locator(".view-line", { hasText: "Self-RAG" }).boundingBox();
  const clip = { x: line.x - 60, y: line.y - 60, width: 900, height: 120 };
  await shot("inline", clip);
  await page.keyboard.press("Tab");
  await page.keyboard.type(".\nDense retrievers find passages for open-domain questions\n\\citep{", { delay: 30 });
  await page.waitForSelector(".suggest-widget.visible .monaco-list-row");
  await page.keyboard.press("Control+Space"); // the details of the selected entry
  const details = page.locator(".suggest-details:visible");
  await details.filter({ hasText: "your words: dense" }).waitFor();
  await page.keyboard.press("ArrowDown"); // VS Code shows the first details too small
  await details.filter({ hasNotText: "your words: dense" }).waitFor();
  await page.keyboard.press("ArrowUp");
  await details.filter({ hasText: "your words: dense" }).waitFor();
  check("the entries that fit come first, with the reason", true, (await details.innerText()).replace(/\s+/g, " "));
  await shot("completion", { ...clip, height: 350 });
}

/** A paper that is in the library alone: taken from the editor's own list, it has its entry and its key. */
async function completed() {
  await open("conclusion.tex");
  const last = onDisk("sections", "conclusion.tex").split("\n").length;
  await goTo(`${last}:1`);
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("As in \\cite{Think you have", { delay: 60 });
  const offered = page.locator(".suggest-widget .monaco-list-row", { hasText: "Think you have Solved" });
  for (let tries = 0; tries < 20 && !(await offered.isVisible()); tries += 1) {
    // the papers are listed in the background when they are first asked for
    if (await offered.waitFor({ timeout: 2000 }).then(() => true, () => false)) break;
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+Space");
  }
  check("the library is offered while a citation is typed", /your library/.test(await offered.innerText()), (await offered.innerText()).replace(/\s+/g, " "));
  await shot("completion-library", await around(page.locator(".suggest-widget"), { left: 220, top: 60 }));
  await page.keyboard.press("Enter");
  await page.waitForSelector(".tab.dirty[data-resource-name='references.bib']");
  await page.waitForFunction(() => [...document.querySelectorAll(".view-line")].some((line) => line.textContent.includes("cite{clark2018think}")));
  await chosen("File: Save All");
  await page.waitForFunction(() => !document.querySelector(".tab.dirty"));
  check("the paper taken has its entry and its key", onDisk("references.bib").includes("{clark2018think,") && onDisk("sections", "conclusion.tex").includes("As in \\cite{clark2018think}"), onDisk("sections", "conclusion.tex").slice(-40));
}

/** Entries that nobody cites are faded. */
async function hinted() {
  await page.keyboard.press("Control+Shift+K"); // the line that cites it
  await chosen("File: Save All");
  await page.waitForFunction(() => !document.querySelector(".tab.dirty"));
  await open("references.bib");
  const at = onDisk("references.bib").split("\n").findIndex((line) => line.includes("{clark2018think,"));
  await goTo(`${at + 1}:10`);
  await page.waitForSelector(".squiggly-inline-unnecessary, .squiggly-unnecessary", { state: "attached" });
  check("an entry that nobody cites is faded", true);
  await page.keyboard.press("Control+K");
  await page.keyboard.press("Control+I");
  await page.waitForFunction(() => [...document.querySelectorAll(".monaco-hover")].some((each) => /is not cited/.test(each.textContent)));
  await shot("unused");
  await page.keyboard.press("Escape");
}

async function reviewed() {
  await page.setViewportSize({ width: 1160, height: 900 });
  await open("abstract.tex");
  await chosen("texgeist: Review the Papers before Writing");
  const panel = page.frameLocator("iframe.webview").frameLocator("#active-frame");
  await panel.locator("#status", { hasText: "papers chosen" }).waitFor({ timeout: 90000 });
  await panel.locator("#write:enabled").waitFor();
  await quiet();
  const before = await panel.locator("#papers input:checked").count();
  await panel.locator("#breadth").focus();
  for (let count = 0; count < 4; count += 1) await page.keyboard.press("ArrowLeft");
  await panel.locator("#count", { hasText: `${before - 4} chosen` }).waitFor();
  check("review panel in the window", (await panel.locator("#papers input:checked").count()) === before - 4);
  await panel.locator("h1").scrollIntoViewIfNeeded();
  await shot("review-light");
  await chosen("Preferences: Toggle between Light/Dark Themes");
  await page.waitForFunction(() => document.querySelector(".monaco-workbench").classList.contains("vs-dark"));
  await panel.locator("body.vscode-dark").waitFor();
  await shot("review-dark");
  await panel.locator("#reset").click();
  await panel.locator("#count", { hasText: `${before - 4} chosen` }).waitFor();
  await panel.locator("#read").click();
  await panel.locator("#latex", { hasText: "texgeist:begin" }).waitFor({ timeout: 90000 });
  check("the panel shows the text", /\\cite/.test(await panel.locator("#latex").innerText()));
  await panel.locator("#write").click();
  await panel.locator("#status", { hasText: /written/i }).waitFor({ timeout: 90000 });
  check("the panel writes", true, await panel.locator("#status").innerText());
}

/** The settings of the folder; the side bar's file watcher tells the window. */
const settle = (settings) => {
  fs.mkdirSync(path.join(folder, ".vscode"), { recursive: true });
  fs.writeFileSync(path.join(folder, ".vscode", "settings.json"), JSON.stringify(settings));
};
const rows = () => page.locator(".bulk-edit-panel .monaco-list-row");
const saved = async () => {
  await chosen("File: Save All");
  await page.waitForFunction(() => !document.querySelector(".tab.dirty"));
};

/** A hint at a sentence that its source does not bear out, and the weaker one as a diff. */
async function judged() {
  await open("main.tex");
  await page.waitForSelector(".codelens-decoration, .detected-link", { state: "attached", timeout: 60000 }); // the server is there
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Enter");
  await saved();
  const lines = onDisk("main.tex").split("\n"), at = lines.findIndex((line) => line.includes("hinder"));
  await goTo(`${at + 1}:${lines[at].indexOf("hinder") + 2}`);
  await page.waitForSelector(".squiggly-hint", { state: "attached", timeout: 90000 });
  await page.keyboard.press("Control+K");
  await page.keyboard.press("Control+I");
  await page.waitForFunction(() => [...document.querySelectorAll(".monaco-hover")].some((each) => /contradicts this/.test(each.textContent)));
  const words = (await page.locator(".monaco-hover:visible").first().innerText()).replace(/\s+/g, " ");
  check("a sentence that is not borne out is hinted at", /contradicts this: .*Most similar/.test(words), words.slice(0, 200));
  await shot("hint");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+.");
  await page.waitForSelector(".action-widget .monaco-list-row");
  for (let count = 0; count < 8; count += 1) {
    if ((await page.locator(".action-widget .monaco-list-row.focused").innerText()).includes("weaken the sentence")) break;
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await rows().filter({ hasText: "may" }).first().waitFor({ timeout: 60000 });
  await rows().filter({ hasText: "may" }).first().click();
  await page.waitForSelector(".diff-editor, .monaco-diff-editor");
  await shot("diff");
  await page.locator(".bulk-edit-panel .monaco-button", { hasText: "Apply" }).click();
  await ended();
  await saved();
  check("the weaker sentence is shown as a diff and taken", /may slow/.test(onDisk("main.tex")), onDisk("main.tex").slice(0, 600));
}

/** The walkthrough has its steps, and the button of each of the two questions opens its list. VS Code itself ticks a step whose button was used. */
async function walked() {
  await chosen("texgeist: Get Started");
  const steps = page.locator(".getting-started-step");
  await steps.nth(3).waitFor();
  check("the walkthrough has four steps", (await steps.count()) === 4, (await steps.locator("h3").allInnerTexts()).join(" | "));
  for (const [step, title, picture] of [["what may be sent where", "who writes", ""], ["the papers", "which papers", "papers"]]) {
    await steps.filter({ hasText: step }).locator("h3").click();
    await steps.filter({ hasText: step }).locator(".monaco-button", { hasText: "Choose" }).click();
    await page.waitForSelector(`.quick-input-title:has-text('${title}')`);
    if (picture) await shot(`walkthrough-${picture}`, await around(page.locator(".quick-input-widget"), { left: 4, top: 0 }));
    await closed();
  }
  check("the walkthrough's buttons open its questions", true);
  await shot("walkthrough");
}

async function menu() {
  await page.locator('.statusbar-item[aria-label^="texgeist"]').click();
  await page.waitForSelector(".quick-input-list .monaco-list-row");
  const offered = await page.locator(".quick-input-list .monaco-list-row").allInnerTexts();
  const words = await page.locator(".quick-input-widget input").first().getAttribute("placeholder");
  check("menu behind the status bar item", offered.some((text) => text.includes("Show the Log")) && /leaves this machine/.test(words), words);
  await closed();
}

async function wrote() {
  await asked();
  await cancelled();
  await written();
  await hovered();
  await undone();
  await menu();
  await completed();
  await hinted();
  await walked();
  await reviewed();
}

try {
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
  await page.waitForSelector(".monaco-workbench .part.editor");
  await page.keyboard.press("Control+B"); // the side bar leaves room for the paper
  if (part === "judging") await judged();
  else if (part === "citing") await cited();
  else await wrote();
} catch (error) {
  await threw(error, page, "window");
}
await end();
