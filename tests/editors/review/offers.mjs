// offers.mjs URL SHOTS : new sentences beside the author's on the review page. SHOTS "" takes no picture.
import path from "node:path";
import { axe, browser, capture, check, end } from "../browser.mjs";

const [, , url, shots] = process.argv;
const context = await browser.newContext({ viewport: { width: 1160, height: 620 }, bypassCSP: true });
const page = await context.newPage();
await page.goto(url);
await page.waitForFunction(() => /papers chosen/.test(document.getElementById("status").textContent), null, { timeout: 120000 });
const [item] = await page.$$("#offered li");
check("a new sentence stands beside the author's", Boolean(item) && (await page.isVisible("#offers")));
check("what is the author's alone is struck", (await page.innerText("#offered del")) === "ScholarCopilot, by contrast,", await page.innerText("#offered p"));
check("what is new is marked", (await page.innerText("#offered ins")) === "ScholarCopilot is a language model that");
await page.evaluate(axe());
for (const width of [1160, 600]) {
  await page.setViewportSize({ width, height: 620 });
  const [above, below] = [await page.locator("#offers").boundingBox(), await page.locator("#papers").boundingBox()];
  check(`it stands above the papers at ${width}`, above.y + above.height <= below.y && above.width <= width);
  const { violations } = await page.evaluate(() => axe.run());
  const bad = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  check(`no serious fault at ${width}`, bad.length === 0, JSON.stringify(bad.map(({ id, nodes }) => [id, nodes[0].html])));
}
await page.setViewportSize({ width: 1160, height: 620 });
if (shots) {
  await capture(page, path.join(shots, "offers.webp"));
}
const taken = page.waitForRequest((request) => request.url().endsWith("api/take"));
await page.click("#offered button");
check("the button asks for it", JSON.parse((await taken).postData()).new.startsWith("ScholarCopilot is"));
await end();
