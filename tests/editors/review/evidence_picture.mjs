// evidence_picture.mjs URL FOLDER : the page of evidence, light and dark, as the documentation shows it.
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
const require = createRequire(`${process.env.TEXGEIST_TEST_NODE}/`);
const { chromium } = require("playwright-core");

const [, , url, folder] = process.argv;
const browser = await chromium.launch({
  executablePath: process.env.TEXGEIST_TEST_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
for (const colorScheme of ["light", "dark"]) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, colorScheme });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector("input[name=piece]", { timeout: 30000 });
  const session = await context.newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 85 });
  fs.writeFileSync(path.join(folder, `evidence-${colorScheme}.webp`), Buffer.from(data, "base64"));
}
await browser.close();
