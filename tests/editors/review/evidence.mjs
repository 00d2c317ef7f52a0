// evidence.mjs URL : drives the page of evidence in a browser.
import { axe, browser, check, end } from "../browser.mjs";

const [, , url] = process.argv;
const noises = [], foreign = [];
async function open(colorScheme) {
  const page = await (await browser.newContext({ viewport: { width: 1000, height: 900 }, colorScheme })).newPage();
  page.on("console", (message) => message.type() === "error" && !/409|404/.test(message.text()) && noises.push(message.text()));
  page.on("pageerror", (error) => noises.push(String(error)));
  page.on("request", (request) => !request.url().startsWith(url) && foreign.push(request.url()));
  await page.goto(url);
  await page.waitForSelector("input[name=piece]", { timeout: 30000 });
  return page;
}

const page = await open("light");
const text = await page.innerText("body");
check("each query stands with what it found", (await page.$$("#queries section")).length === 3 && (await page.$$(".piece")).length === 3);
check("both scores, section and page are there", /3 Results, page 7; score 0\.80: cosine 0\.50, by the model 0\.90/.test(text));
check("why it stopped is there", text.includes("The model has enough."));
check("what others wrote is text", text.includes("<script>alert(1)</script>") && !(await page.$("main script, form script")));
check("all is ticked to begin with", (await page.innerText("#count")) === "3 of 3 ticked");
await page.click("#none");
check("nothing ticked cannot be drafted from", await page.isDisabled("#begin"));
await page.focus("input[value='2']");
await page.keyboard.press("Space");
check("Space ticks a piece", (await page.innerText("#count")) === "1 of 3 ticked");
await page.click("#begin");
await page.waitForFunction(() => document.getElementById("said").textContent, null, { timeout: 20000 });
check("the draft begins", (await page.innerText("#said")).includes("appears in your editor"));
for (const scheme of ["light", "dark"]) {
  const seen = await open(scheme);
  await seen.evaluate(axe());
  const { violations } = await seen.evaluate(() => axe.run());
  const bad = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  check(`no serious fault by axe-core, ${scheme}`, bad.length === 0, JSON.stringify(bad.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))])));
  if (process.env.TEXGEIST_TEST_SHOTS) await seen.screenshot({ path: `${process.env.TEXGEIST_TEST_SHOTS}/evidence-${scheme}.png` });
}
check("nothing foreign is asked for", foreign.length === 0, foreign.join(" "));
check("nothing complains", noises.length === 0, noises.join(" "));
await end();
