// evidence_picture.mjs URL FOLDER : the page of evidence, light and dark, as the documentation shows it.
import path from "node:path";
import { browser, capture } from "../browser.mjs";

const [, , url, folder] = process.argv;
for (const colorScheme of ["light", "dark"]) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, colorScheme });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector("input[name=piece]", { timeout: 30000 });
  await capture(page, path.join(folder, `evidence-${colorScheme}.webp`));
}
await browser.close();
