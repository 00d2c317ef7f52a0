// restricted.mjs PORT FOLDER EVIDENCE : an untrusted folder first; then trusted, on a machine without the server.
import fs from "node:fs";
import path from "node:path";
import { browser, capture, check, end, threw } from "../browser.mjs";

const [, , port, folder, evidence] = process.argv;
const shots = process.env.TEXGEIST_SCREENSHOTS;
const page = await browser.newPage({ viewport: { width: 1160, height: 720 } });
page.setDefaultTimeout(40000);
const palette = async (text) => {
  await page.keyboard.press("F1");
  await page.waitForSelector(".quick-input-widget:visible");
  await page.keyboard.type(text, { delay: 5 });
  await page.waitForSelector(".quick-input-list .monaco-list-row");
};
try {
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
  await page.locator(".monaco-dialog-box .monaco-button", { hasText: "No, I don't trust" }).click();
  await page.keyboard.press("Control+P");
  await page.waitForSelector(".quick-input-widget:visible");
  await page.keyboard.type("abstract.tex", { delay: 15 });
  await page.waitForSelector('.quick-input-list .monaco-list-row[aria-label*="abstract.tex"]');
  await page.keyboard.press("Enter");
  const item = page.locator('.statusbar-item[aria-label^="texgeist"]');
  await page.waitForSelector('.statusbar-item[aria-label*="not trusted"]');
  check("the status bar says that nothing is run", true, await item.getAttribute("aria-label"));
  await palette(">texgeist");
  const offered = await page.locator(".quick-input-list .monaco-list-row").allInnerTexts();
  check("no command that would run or send", !offered.some((text) => /Write Related Work|Review|Install|Sync the Index/.test(text)), offered.join(" | ").replace(/\s+/g, " "));
  await page.keyboard.press("Escape");
  check("nothing was run", !fs.existsSync(evidence));

  await palette(">Workspaces: Manage Workspace Trust");
  await page.keyboard.press("Enter");
  await page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ }).click();
  const toast = page.locator(".notification-toast", { hasText: "needs its language server" });
  await toast.waitFor();
  const words = await toast.innerText();
  if (shots) {
    await page.waitForTimeout(600);
    const { x, y, width, height } = await toast.boundingBox();
    await capture(page, path.join(shots, "walkthrough-install.webp"), { x: x - 12, y: y - 12, width: width + 24, height: height + 24 });
  }
  check("with trust, installing is offered with what it downloads", /160 MB.*438 MB/s.test(words) && /Install/.test(words), words.replace(/\s+/g, " "));
  check("trusted, the folder's settings name no program", !fs.existsSync(evidence));
} catch (error) {
  await threw(error, page, "restricted");
}
await end();
