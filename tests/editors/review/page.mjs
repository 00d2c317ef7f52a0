// page.mjs URL OUTPUT : drives the review page in a browser, writes what was chosen to OUTPUT as JSON.
import fs from "node:fs";
import { axe, browser, check, end, threw } from "../browser.mjs";

const [, , url, output] = process.argv;
const noises = [], foreign = [];
async function open(options) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })).newPage();
  page.on("console", (message) => message.type() === "error" && noises.push(message.text()));
  page.on("pageerror", (error) => noises.push(String(error)));
  page.on("request", (request) => !request.url().startsWith(url) && !request.url().startsWith("data:") && foreign.push(request.url()));
  await page.goto(url);
  await ready(page);
  return page;
}
const ready = (page) => page.waitForFunction(() => /papers chosen/.test(document.getElementById("status").textContent) && !document.getElementById("write").disabled, null, { timeout: 120000 });
const ticked = (page) => page.$$eval("#papers tbody tr", (rows) => rows.filter((row) => row.querySelector("input").checked).map((row) => row.dataset.id));
const onMap = (page) => page.$$eval(".point[aria-checked=true]", (points) => points.map((point) => point.dataset.id));
const same = (a, b) => a.length === b.length && [...a].sort().every((id, at) => id === [...b].sort()[at]);
const server = async (name, body) => {
  const post = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return (await fetch(`${url}api/${name}`, body ? post : {})).json();
};
/** Waits until the page shows what the server holds. */
async function settled(page, test) {
  for (let end = Date.now() + 30000; Date.now() < end; await page.waitForTimeout(80)) {
    const state = await server("state");
    if (test(state) && same(await ticked(page), state.chosen) && same(await onMap(page), state.chosen)) return state;
  }
  throw new Error(`never settled: ${JSON.stringify([(await server("state")).options, await ticked(page)])}`);
}
const slide = async (page, name, value) => {
  await page.focus(`#${name}`);
  const step = name === "diversity" ? 0.05 : 1;
  const from = Number(await page.inputValue(`#${name}`));
  const key = value < from ? "ArrowLeft" : "ArrowRight";
  for (let count = Math.round(Math.abs(value - from) / step); count > 0; count -= 1) await page.keyboard.press(key);
};

try {
  const page = await open({});
  const first = await settled(page, () => true);
  check("table and map show the server's choice", first.chosen.length === first.options.breadth, first.chosen.length);
  const row = page.locator(`#papers tr[data-id="${first.chosen[0]}"]`);
  const words = await row.textContent(); // numbers are folded away
  const paper = first.papers.find(({ id }) => id === first.chosen[0]);
  check("a row says title, year, similarity and why", [paper.title, String(paper.year), paper.similarity.toFixed(2), paper.reasons.yours, paper.reasons.theirs.slice(0, 50), paper.reasons.numbers].filter(Boolean).every((text) => words.includes(text)), words.replace(/\s+/g, " ").slice(0, 200));

  const shown = () => page.$$eval("#papers tbody tr", (rows) => rows.map((row) => row.dataset.id));
  await page.selectOption("#which", "left");
  check("only those left out are shown", same(await shown(), first.papers.map(({ id }) => id).filter((id) => !first.chosen.includes(id))) && /not shown/.test(await page.innerText("#count")));
  await page.selectOption("#which", "all");
  await page.fill("#filter", `${paper.title.split(" ")[0].toUpperCase()} ${paper.year}`);
  const filtered = await shown();
  check("a filter finds title and year", filtered.includes(paper.id) && filtered.length < first.papers.length, filtered.length);
  await page.fill("#filter", "");
  await page.selectOption("#sort", "similarity");
  const near = first.papers.map(({ similarity }) => similarity).sort((a, b) => b - a);
  check("nearest first", (await shown()).every((id, at) => first.papers.find((each) => each.id === id).similarity === near[at]));
  await page.selectOption("#sort", "");

  const unfolded = row.locator(".why details").first();
  await unfolded.locator("summary").click();
  await page.locator("#filter").pressSequentially(paper.title.slice(0, 3));
  await page.fill("#filter", "");
  await page.selectOption("#which", "chosen");
  const [second, third] = (await shown()).slice(1, 3);
  await page.focus(`#papers tr[data-id="${second}"] input`);
  await page.keyboard.press("Space");
  await settled(page, ({ excluded }) => excluded.includes(second));
  check("what is unfolded stays so while one types and ticks", await unfolded.evaluate((details) => details.open && details.isConnected));
  check("from a row that leaves the focus goes to the next", (await page.evaluate(() => document.activeElement.closest("tr")?.dataset.id)) === third);
  await page.selectOption("#which", "all");
  await page.click("#reset");
  await settled(page, ({ excluded, chosen }) => !excluded.length && same(chosen, first.chosen));

  const reader = await open({});
  await reader.click("#read");
  const read = await settled(reader, ({ text }) => text.includes("texgeist:begin"));
  await reader.waitForFunction((text) => !document.querySelector("#text").hidden && document.querySelector("#latex").textContent === text, read.text);
  check("the text that would be written is shown", (await reader.innerText("#latex")).includes("\\cite"));
  await slide(reader, "breadth", 4);
  const followed = await settled(reader, ({ options, stage, text }) => options.breadth === 4 && stage === "ready" && text.includes("texgeist:begin"));
  check("without a model it follows the choice", followed.text !== read.text);
  await reader.context().close();

  for (const [width, height, least] of [[1280, 800, 2], [600, 800, 1], [400, 800, 1]]) {
    const small = await open({ viewport: { width, height } });
    const { rows, beyond } = await small.evaluate(() => {
      const seen = [...document.querySelectorAll("#papers tbody tr")].filter((row) => row.getBoundingClientRect().top < innerHeight - 60);
      const cells = [...seen[0].cells].map((cell) => cell.getBoundingClientRect());
      return { rows: seen.length, beyond: cells.some(({ left, right, width, height }) => left < 0 || right > innerWidth || width < 20 || height < 20) };
    });
    check(`at ${width} pixels papers with why and evidence are in sight`, rows >= least && !beyond, `${rows} ${beyond}`);
    await small.context().close();
  }

  await slide(page, "breadth", 5);
  await settled(page, ({ options }) => options.breadth === 5);
  await slide(page, "diversity", 0.5);
  await slide(page, "depth", 1);
  const slid = await settled(page, ({ options }) => options.breadth === 5 && options.diversity === 0.5 && options.depth === 1);
  check("sliders move the choice", slid.chosen.length === 5 && !same(slid.chosen, first.chosen), slid.chosen.join(" "));
  fs.writeFileSync(output, JSON.stringify({ chosen: slid.chosen, options: slid.options }));

  // From here on the keyboard alone: Tab reaches everything, Space acts.
  await page.focus(".skip");
  const reached = new Set();
  let use;
  for (let count = 0; count < 60 && !use; count += 1) {
    await page.keyboard.press("Tab");
    const [id, label] = await page.evaluate(() => [document.activeElement.id || document.activeElement.getAttribute("class") || document.activeElement.tagName, document.activeElement.getAttribute("aria-label") ?? ""]);
    reached.add(id);
    if (label.startsWith("Use ")) use = label.slice(4);
  }
  check("Tab reaches all controls", ["breadth", "depth", "diversity", "write", "reset"].every((id) => reached.has(id)) && [...reached].some((id) => id.startsWith("point")) && use, [...reached].join(" "));
  const target = slid.papers.find(({ title }) => title === use).id;
  await page.keyboard.press("Space");
  const without = await settled(page, ({ excluded }) => excluded.includes(target));
  check("Space unticks a paper", !without.chosen.includes(target) && without.chosen.length === 5, without.chosen.join(" "));
  check("the focus stays on it", (await page.evaluate(() => document.activeElement.getAttribute("aria-label"))) === `Use ${use}`);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  const pinned = await settled(page, (state) => state.pinned.includes(target));
  check("Space pins a paper", pinned.chosen.includes(target) && pinned.chosen.length === 5, pinned.chosen.join(" "));
  await slide(page, "diversity", 1);
  check("a pin holds against the sliders", (await settled(page, ({ options }) => options.diversity === 1)).chosen.includes(target));

  await page.focus(".point[tabindex='0']");
  const start = await page.evaluate(() => document.activeElement.dataset.id);
  for (const key of ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"]) await page.keyboard.press(key);
  await page.keyboard.press("End");
  const last = await page.evaluate(() => document.activeElement.dataset.id);
  check("arrow keys and End move on the map", last !== start && last === pinned.papers.at(-1).id);
  check("the caption names the paper", (await page.innerText("#caption")).startsWith(pinned.papers.at(-1).title));
  await page.keyboard.press("Space");
  const mapped = await settled(page, (state) => state.pinned.includes(last));
  check("Space chooses on the map", mapped.chosen.includes(last), `${last} of ${mapped.chosen.join(" ")}`);

  for (const colorScheme of ["light", "dark"]) {
    const seen = await open({ bypassCSP: true, colorScheme });
    await seen.evaluate(axe());
    const { violations } = await seen.evaluate(() => axe.run());
    const bad = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    check(`no serious fault by axe-core, ${colorScheme}`, bad.length === 0, JSON.stringify(bad.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))])));
    if (process.env.TEXGEIST_TEST_SHOTS) await seen.screenshot({ path: `${process.env.TEXGEIST_TEST_SHOTS}/review-${colorScheme}.png` });
    await seen.context().close();
  }

  const strange = await fetch(url.replace(/[^/]+\/$/, "wrong-token/"));
  check("another token gets nothing", strange.status === 404);
  const policy = (await fetch(url)).headers.get("content-security-policy");
  check("a strict content security policy", policy.includes("default-src 'none'") && !policy.includes("unsafe"));

  await page.focus("#write");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /written/i.test(document.getElementById("status").textContent), null, { timeout: 120000 });
  check("Write writes", true, await page.innerText("#status"));
  check("nothing foreign is asked for", foreign.length === 0, foreign.join(" "));
  check("nothing complains", noises.length === 0, noises.join(" | "));
} catch (error) {
  await threw(error);
}
await end();
