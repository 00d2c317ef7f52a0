// What every test in a browser needs: Chromium, checks that are printed line by line, pictures, and an end.
import { createRequire } from "node:module";
import fs from "node:fs";
const require = createRequire(`${process.env.TEXGEIST_TEST_NODE}/`);
const { chromium } = require("playwright-core");

const quiet = ["quic", "background-networking", "component-update", "sync", "gpu"].map((name) => `--disable-${name}`);
export const browser = await chromium.launch({
  executablePath: process.env.TEXGEIST_TEST_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--no-first-run", ...quiet],
});
export const axe = () => fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

let failures = 0;
const began = Date.now();
export const check = (name, ok, extra = "") => {
  console.log(`${ok ? "ok  " : "FAIL"} ${name} ${extra} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  if (!ok) failures += 1;
};

/** A picture of the page, or of what `clip` holds, as a file of the documentation. */
export async function capture(page, file, clip) {
  const session = await page.context().newCDPSession(page);
  const part = clip ? { clip: { ...clip, scale: 1 } } : {};
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 85, ...part });
  fs.writeFileSync(file, Buffer.from(data, "base64"));
}

/** A step that threw: a failed check, with a picture named NAME where pictures of failures are wanted. */
export async function threw(error, page, name) {
  check(`exception: ${error.stack}`, false);
  if (page && process.env.TEXGEIST_TEST_SHOTS) await page.screenshot({ path: `${process.env.TEXGEIST_TEST_SHOTS}/${name}.png` });
}

export async function end() {
  await browser.close();
  process.exit(failures ? 1 : 0);
}
