/** The review page: shows the papers of the server, sends the user's choice, and requests the section. */
import { ask } from "./api.js";
import { asBody, pinned, ticked, wantedOf } from "./choice.js";
import { at } from "./dom.js";
import * as map from "./map.js";
import * as paste from "./paste.js";
import * as table from "./table.js";

const SLIDERS = ["breadth", "depth", "diversity"];
let state;
let wanted;
let asking = false;
let stale = false;
let reading = false; // the user requested the text: without a model it is requested again after each choice

map.setUp({ show, toggle: (id) => choose(ticked(wanted, id, !state.chosen.includes(id))) });
table.setUp({ show, tick: (id, use) => choose(ticked(wanted, id, use)), pin: (id, pin) => choose(pinned(wanted, id, pin)) });
paste.setUp({ search: (draft) => attempt(async () => take(await ask("api/draft", draft), true)) });
for (const name of SLIDERS) at(name).addEventListener("input", slid);
at("controls").addEventListener("submit", (event) => (event.preventDefault(), write()));
at("read").addEventListener("click", () => ((reading = true), state.text ? draw(false) : read()));
at("cancel").addEventListener("click", () => attempt(() => ask("api/cancel", {})));
at("reset").addEventListener("click", () => choose({ ...wanted, pinned: new Set(), excluded: new Set() }));
at("map").open = matchMedia("(min-width: 62rem)").matches;
watch();

/** Polls the server's state and draws each new state. If the server does not answer, tries again after a pause. */
async function watch() {
  for (let failures = 0; ; ) {
    try {
      const next = await ask(state ? `api/state?after=${state.version}` : "api/state");
      failures = 0;
      if (!state || next.version > state.version) take(next, !state || state.stage !== "ready");
    } catch (error) {
      say(error.message, true);
      await new Promise((resolve) => setTimeout(resolve, Math.min(1000 * 2 ** failures++, 15000)));
    }
  }
}

/** Stores and draws the state `next`. `theirs`: set the sliders to the server's values; else they keep the user's. */
function take(next, theirs) {
  if (state && next.version < state.version) return;
  state = next;
  if (theirs || !wanted) wanted = wantedOf(state);
  draw(theirs);
}

function slid() {
  choose({ ...wanted, ...Object.fromEntries(SLIDERS.map((name) => [name, Number(at(name).value)])) });
}

/** Sends the choice `next` to the server. One request runs at a time; afterwards only the latest choice is sent. */
async function choose(next) {
  wanted = next;
  numbers();
  stale = true;
  if (asking) return;
  asking = true;
  while (stale) {
    stale = false;
    await attempt(async () => take(await ask("api/choose", asBody(wanted)), false));
  }
  asking = false;
  if (reading && !state.takes && !state.text && state.stage === "ready" && state.chosen.length) read();
}

const read = () => attempt(() => ask("api/read", asBody(wanted)));
const write = () => attempt(() => ask("api/write", asBody(wanted)));

async function attempt(run) {
  try {
    await run();
  } catch (error) {
    say(error.message, true);
  }
}

function draw(theirs) {
  const busy = ["searching", "reading", "writing"].includes(state.stage);
  at("paste").hidden = !state.accepts;
  at("draft").textContent = [state.draft.title, state.draft.file].filter(Boolean).join(" · ");
  const takes = state.takes && `Writing takes ${state.takes}.`;
  at("sends").textContent = [state.sends || "Nothing leaves this machine.", takes].filter(Boolean).join(" ");
  at("write").disabled = busy || state.chosen.length === 0;
  at("read").disabled = busy || state.chosen.length === 0 || (reading && Boolean(state.text));
  at("text").hidden = !reading || !state.text;
  at("latex").textContent = state.text;
  at("cancel").hidden = !busy;
  at("progress").hidden = !busy;
  if (state.progress == null) at("progress").removeAttribute("value");
  else (at("progress").max = 100, at("progress").value = state.progress);
  if (theirs) sliders();
  numbers();
  map.draw({ ...state, pinned: [...wanted.pinned] });
  table.draw({ ...state, pinned: [...wanted.pinned] });
  say(words(), state.stage === "failed");
}

function sliders() {
  for (const name of SLIDERS) {
    [at(name).min, at(name).max] = state.limits[name];
    at(name).value = wanted[name];
  }
}

function numbers() {
  for (const name of SLIDERS) {
    document.querySelector(`output[for="${name}"]`).textContent = name === "diversity" ? wanted[name].toFixed(2) : wanted[name];
  }
}

function words() {
  const count = `${state.chosen.length} of ${state.papers.length} papers chosen.`;
  const otherwise = {
    empty: "Paste a title and an abstract, or drop a PDF.",
    searching: "Looking for papers…",
    ready: count,
    reading: "Writing the text to be looked at…",
    writing: "Writing…",
    written: "The section is in your document.",
    failed: "That did not work.",
  };
  return state.stage === "ready" ? [state.message, count].filter(Boolean).join(" ") : state.message || otherwise[state.stage];
}

function say(text, bad = false) {
  const status = at("status");
  if (status.textContent !== text) status.textContent = text;
  status.classList.toggle("bad", bad);
}

/** Shows the paper at which the user points, on the map, in the table and in the caption. */
function show(id, scroll = false) {
  map.mark(id);
  table.mark(id, scroll);
  const paper = state.papers.find((each) => each.id === id);
  if (!paper) return;
  const chosen = state.chosen.includes(id) ? "chosen" : "left out";
  at("caption").textContent = `${paper.title}${paper.year ? ` (${paper.year})` : ""}: similarity ${paper.similarity.toFixed(2)}, ${chosen}.`;
}
