// first.mjs PORT FOLDER SHOTS : from the first click to the first section; each step with its time. SHOTS "" takes none.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { browser, capture, check, end, threw } from "../browser.mjs";

const [, , port, folder, shots] = process.argv;
let began = Date.now();
const clock = () => `${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s`;
const tell = (words) => console.log(`${clock()}  load ${os.loadavg()[0].toFixed(1)}  ${words}`);
const page = await browser.newPage({ viewport: { width: 1160, height: 720 } });
page.setDefaultTimeout(90000);
const shot = async (name) => {
  if (!shots) return;
  await capture(page, path.join(shots, `first-${name}.webp`));
};
const toast = (text) => page.locator(".notification-toast", { hasText: text });
const button = (text, name) => toast(text).locator(".monaco-button", { hasText: name }).click();
const chosen = async (text) => {
  await page.keyboard.press("F1");
  await page.waitForSelector(".quick-input-widget:visible");
  await page.keyboard.type(text, { delay: 5 });
  await page.waitForSelector(`.quick-input-list .monaco-list-row.focused[aria-label*="${text}"]`);
  await page.keyboard.press("Enter");
};
/** Tells when a notification's step changes, until `ended` is seen. */
async function followed(ended, limit) {
  const seen = new Set();
  const end = Date.now() + limit;
  while (!(await ended()) && Date.now() < end) {
    const words = await toast(/texgeist/).allInnerTexts();
    for (const text of words) {
      const step = text.replace(/\s+/g, " ").replace(/\d+ of \d\d+, .*|\d+ ?%.*|\(\d+\/\d+\).*|[\d.]+ ?[MGk]B of.*/, "").trim().slice(0, 110);
      if (step && !seen.has(step)) {
        seen.add(step);
        tell(step);
        if (/2 of 3.*pack/.test(step) || /3 of 3/.test(step)) await shot(`installing-${step[step.indexOf(" of 3") - 1]}`);
      }
    }
    await page.waitForTimeout(400);
  }
  return ended();
}
const onDisk = (...name) => fs.readFileSync(path.join(folder, ...name), "utf8");

try {
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
  await page.waitForSelector(".monaco-workbench .part.editor");
  await page.keyboard.press("Control+P");
  await page.waitForSelector(".quick-input-widget:visible");
  await page.keyboard.type("abstract.tex", { delay: 15 });
  await page.waitForSelector('.quick-input-list .monaco-list-row[aria-label*="abstract.tex"]');
  began = Date.now();
  tell("a .tex file is opened");
  await page.keyboard.press("Enter");
  await toast("needs its language server").waitFor();
  await shot("offer");
  await button("needs its language server", "Install");
  tell("Install was pressed");
  const ready = await followed(() => toast("texgeist is ready").isVisible(), 900000);
  tell(ready ? "texgeist is ready" : "it is not ready");
  await shot("ready");

  await page.locator(".tab.active").click();
  const writes = ".codelens-decoration a:has-text('Write related work')";
  await page.waitForSelector(writes);
  tell("the lens over the abstract is there");
  await page.click(writes);
  await toast("no library to search").waitFor({ timeout: 180000 });
  tell("it says that there is no library to search yet");
  await shot("no-library");
  await button("no library to search", "Choose Papers");
  await page.waitForSelector(".quick-input-widget:visible");
  tell("it asks which papers are searched");
  await shot("papers");
  await page.keyboard.type("sample", { delay: 15 });
  await page.waitForSelector('.quick-input-list .monaco-list-row.focused[aria-label*="sample library"]');
  await page.keyboard.press("Enter");
  const section = () => page.locator('.tab[data-resource-name="main.tex"]').isVisible();
  const written = await followed(section, 300000);
  tell(written ? "the section is in the document" : "no section came");
  await chosen("File: Save All");
  await page.waitForFunction(() => !document.querySelector(".tab.dirty"));
  check("the section is in the document", /texgeist:begin/.test(onDisk("main.tex")));
  await chosen("Notifications: Clear All Notifications");
  await page.locator('.tab[data-resource-name="main.tex"]').click();
  await page.waitForSelector(".codelens-decoration a:has-text('Review')").catch(() => undefined);
  await shot("section");
  await chosen("texgeist: Get Started");
  await page.waitForSelector(".getting-started-step .codicon");
  await shot("walkthrough");
} catch (error) {
  await threw(error, page, "first-failed");
}
await end();
