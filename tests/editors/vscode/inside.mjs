// Opens the workbench in headless Chromium and runs a suite inside its extension host.
// inside.mjs PORT FOLDER DEVELOPMENT SUITE ; the exit code is the suite's.
import { browser } from "../browser.mjs";

const [, , port, folder, development, suite] = process.argv;
const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
let finish;
const finished = new Promise((resolve) => (finish = resolve));
setTimeout(() => finish(124), Number(process.env.TEXGEIST_TEST_LIMIT ?? 220) * 1000);
await page.exposeFunction("codeAutomationLog", (_, parts) => console.log(...parts));
await page.exposeFunction("codeAutomationExit", (code) => finish(code));
const remote = (path) => `vscode-remote://127.0.0.1:${port}${path}`;
const payload = [["extensionDevelopmentPath", remote(development)], ["extensionTestsPath", remote(suite)], ["skipWelcome", "true"]];
await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(JSON.stringify(payload))}`);
const code = await finished;
if (code && process.env.TEXGEIST_TEST_SHOTS) await page.screenshot({ path: `${process.env.TEXGEIST_TEST_SHOTS}/inside.png` });
await browser.close();
process.exit(code);
