// install.mjs PORT FOLDER INDEX STORAGE : a machine without the server and, at first, without a network.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { browser, check, end } from "../browser.mjs";

const [, , port, folder, index, storage] = process.argv;
const control = async (what) => (await fetch(`${index}/control/${what}`)).json();
const environments = () => (fs.existsSync(storage) ? fs.readdirSync(storage).filter((name) => name.startsWith("python")) : []);
const page = await browser.newPage({ viewport: { width: 1160, height: 720 } });
page.setDefaultTimeout(90000);
// Whole lines: without a terminal ps may cut them at 80 signs.
const commands = () => execFileSync("ps", ["-eww", "-o", "args"]).toString().split("\n");
const toast = (text) => page.locator(".notification-toast", { hasText: text });
const button = (text, name) => toast(text).locator(".monaco-button", { hasText: name }).click();
const shot = (name) => process.env.TEXGEIST_TEST_SHOTS && page.screenshot({ path: `${process.env.TEXGEIST_TEST_SHOTS}/install-${name}.png` });
try {
  await control("down");
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
  await page.waitForSelector(".monaco-workbench");
  await page.keyboard.press("Control+P");
  await page.waitForSelector(".quick-input-widget:visible");
  await page.keyboard.type("abstract.tex", { delay: 15 });
  await page.waitForSelector('.quick-input-list .monaco-list-row[aria-label*="abstract.tex"]');
  await page.keyboard.press("Enter");
  await toast("needs its language server").waitFor();
  await shot("offer");
  await button("needs its language server", "Install");
  await toast("could not be installed").waitFor();
  const words = await toast("could not be installed").innerText();
  check("without a network it ends with a sentence and a button", /cannot be reached.*kept/s.test(words) && /Try Again/.test(words), words.replace(/\s+/g, " "));
  check("nothing half-made stays", environments().length === 0, environments().join(" "));
  await shot("no-network");

  await control("stall");
  await button("could not be installed", "Try Again");
  await toast(/2 of 3: Python packages.*: \S+ \(\d/).waitFor();
  await shot("progress");
  let before = 0;
  for (let still = 0; still < 3; still += 1) {
    await page.waitForTimeout(1500); // until nothing more arrives: the biggest package hangs
    const served = Object.keys(await control("served")).length;
    if (served !== before) still = -1;
    before = served;
  }
  await button("Installing texgeist", "Cancel");
  await toast("not installed yet").waitFor();
  const stopped = await toast("not installed yet").innerText();
  check("cancel says that nothing is lost", /kept/.test(stopped) && /Go On/.test(stopped), stopped.replace(/\s+/g, " "));
  check("nothing half-made stays after cancel", environments().length === 0, environments().join(" "));
  const left = commands().filter((line) => line.includes(`${storage}/python`));
  check("cancel ends what it had started", left.length === 0, left.join(" | "));
  check("some packages had arrived", before > 0, String(before));

  await control("up");
  await button("not installed yet", "Go On");
  await toast("texgeist is ready").waitFor({ timeout: 300000 });
  await shot("ready");
  const served = await control("served");
  const twice = Object.entries(served).filter(([, times]) => times > 1);
  check("what had arrived was not fetched again", twice.length === 0, JSON.stringify(twice));
  const [environment, ...others] = environments();
  check("one environment, and no downloads beside it", others.length === 0 && !fs.existsSync(path.join(storage, "downloads")), environments().join(" "));
  const python = path.join(storage, environment, "bin", "python");
  const held = execFileSync(python, ["-I", "-m", "pip", "freeze", "--all"]).toString();
  console.log(held.split("\n").map((line) => `HELD ${line}`).join("\n"));
  await page.waitForSelector('.statusbar-item[aria-label^="texgeist, idle"]');
  let runs = false; // on a busy machine it takes its time
  for (let tries = 0; tries < 60 && !runs; tries++) {
    runs = commands().some((line) => line.includes(path.join(storage, environment)));
    if (!runs) await page.waitForTimeout(1000);
  }
  check("the server runs from it", runs);
  const said = path.join(storage, "said");
  await page.keyboard.press("Control+Backquote");
  await page.locator(".terminal-wrapper.active .xterm").waitFor();
  await page.waitForTimeout(1000);
  await page.keyboard.type(`texgeist --version >${said}\n`, { delay: 5 });
  for (let tries = 0; tries < 60 && !(fs.existsSync(said) && fs.readFileSync(said, "utf8")); tries++) await page.waitForTimeout(500);
  check("the terminal has the same program", fs.readFileSync(said, "utf8").startsWith("texgeist "));
} catch (error) {
  check(`exception: ${error.stack}`, false);
  await shot("failed");
}
await end();
