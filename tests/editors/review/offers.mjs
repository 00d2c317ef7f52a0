// offers.mjs URL SHOTS : new sentences beside the author's on the review page. SHOTS "" takes no picture.
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
const require = createRequire(`${process.env.TEXGEIST_TEST_NODE}/`);
const { chromium } = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [, , url, shots] = process.argv;
let failures = 0;
const check = (name, ok, extra = "") => {
  console.log(`${ok ? "ok  " : "FAIL"} ${name} ${extra}`);
  if (!ok) failures += 1;
};
const browser = await chromium.launch({
  executablePath: process.env.TEXGEIST_TEST_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
const context = await browser.newContext({ viewport: { width: 1160, height: 620 }, bypassCSP: true });
const page = await context.newPage();
await page.goto(url);
await page.waitForFunction(() => /papers chosen/.test(document.getElementById("status").textContent), null, { timeout: 120000 });
const [item] = await page.$$("#offered li");
check("a new sentence stands beside the author's", Boolean(item) && (await page.isVisible("#offers")));
check("what is the author's alone is struck", (await page.innerText("#offered del")) === "ScholarCopilot, by contrast,", await page.innerText("#offered p"));
check("what is new is marked", (await page.innerText("#offered ins")) === "ScholarCopilot is a language model that");
await page.evaluate(axe);
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
  const session = await context.newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 85 });
  fs.writeFileSync(path.join(shots, "offers.webp"), Buffer.from(data, "base64"));
}
const taken = page.waitForRequest((request) => request.url().endsWith("api/take"));
await page.click("#offered button");
check("the button asks for it", JSON.parse((await taken).postData()).new.startsWith("ScholarCopilot is"));
await browser.close();
process.exit(failures ? 1 : 0);
