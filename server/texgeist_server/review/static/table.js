/** The table: chosen papers first, then the other papers. Rows are reused, so that the focus stays. */
import { at, html, keepingFocus, people } from "./dom.js";

const FIRST = 40; // rows shown until the user asks for all
const TOOLS = ["filter", "which", "sort"];
const DESCENDING = { similarity: true, year: true };
const rows = new Map();
let act = { tick: () => {}, pin: () => {}, show: () => {} };
let all = false;
let last;

export function setUp(actions) {
  act = actions;
  for (const tool of TOOLS) at(tool).addEventListener("input", () => last && draw(last));
  at("more").addEventListener("click", () => {
    all = true;
    draw(last);
    rows.get(wanted(last)[FIRST]?.id)?.querySelector("input").focus();
  });
}

export function draw(state) {
  last = state;
  const chosen = new Set(state.chosen), pinned = new Set(state.pinned);
  const papers = wanted(state), hidden = state.papers.length - papers.length;
  const shown = all ? papers : papers.slice(0, Math.max(FIRST, chosen.size));
  for (const paper of shown) dress(rowOf(paper), paper, chosen.has(paper.id), pinned.has(paper.id));
  place(shown.map((paper) => rows.get(paper.id)));
  const counted = `${chosen.size} chosen, ${state.papers.length - chosen.size} left out`;
  at("count").textContent = counted + (hidden ? `, ${hidden} not shown` : "");
  at("more").hidden = shown.length === papers.length;
  at("more").textContent = `Show the other ${papers.length - shown.length} papers`;
}

/** Shows these rows. If the focused row is removed, the focus moves to the next row that stays, or the last. */
function place(wanted) {
  const body = at("papers").tBodies[0], before = [...body.rows], focused = document.activeElement;
  const here = before.findIndex((row) => row.contains(focused));
  keepingFocus(() => body.replaceChildren(...wanted));
  if (here < 0 || focused.isConnected) return;
  const next = before.slice(here).find((row) => row.isConnected) ?? wanted.at(-1);
  (next?.querySelector(focused.localName === "button" ? "button" : "input") ?? at("which")).focus();
}

/** Marks the row of this paper only. `scroll`: also scroll to this row. */
export function mark(id, scroll) {
  for (const [other, row] of rows) row.classList.toggle("shown", other === id);
  if (scroll) rows.get(id)?.scrollIntoView({ block: "nearest" });
}

/** The papers that pass the filters above the table, in the selected order. */
function wanted(state) {
  const chosen = new Set(state.chosen), which = at("which").value;
  const words = folded(at("filter").value).split(/\s+/).filter(Boolean);
  const holds = (paper) => {
    const text = folded([paper.title, ...(paper.authors ?? []), paper.year].join(" "));
    return words.every((word) => text.includes(word));
  };
  return ordered(state).filter((paper) => (which === "all" || chosen.has(paper.id) === (which === "chosen")) && holds(paper));
}

/** The text in lower case without accents, so that "garcia" finds García. */
const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

function ordered({ papers, chosen }) {
  const place = new Map(chosen.map((id, index) => [id, index]));
  const key = (paper) => place.get(paper.id) ?? chosen.length + paper.rank;
  const sorted = [...papers].sort((a, b) => key(a) - key(b));
  const by = at("sort").value, sign = DESCENDING[by] ? -1 : 1;
  const compare = (a, b) => (by === "title" ? a.title.localeCompare(b.title) : (a[by] ?? 0) - (b[by] ?? 0));
  return by ? sorted.sort((a, b) => sign * compare(a, b)) : sorted;
}

function rowOf(paper) {
  const known = rows.get(paper.id);
  if (known) return known;
  const use = html("input", { type: "checkbox", "aria-label": `Use ${paper.title}`, onchange: (event) => act.tick(paper.id, event.target.checked) });
  const pin = html("button", { type: "button", "aria-label": `Pin ${paper.title}`, onclick: () => act.pin(paper.id, pin.ariaPressed !== "true") }, "Pin");
  const row = html("tr", { "data-id": paper.id, onmouseenter: () => act.show(paper.id), onfocusin: () => act.show(paper.id) },
    html("td", {}, use), html("td", {}, pin),
    html("th", { scope: "row" }, linked(paper), html("small", {}, about(paper))),
    html("td", { class: "why" }), html("td", { class: "evidence" }));
  rows.set(paper.id, row);
  return row;
}

function dress(row, paper, chosen, pinned) {
  row.className = [chosen ? "chosen" : "left", row.classList.contains("shown") ? "shown" : ""].join(" ").trim();
  row.querySelector("input").checked = chosen;
  row.querySelector("button").ariaPressed = String(pinned);
  fill(row.querySelector(".why"), chosen ? reasons(paper) : leftOut(paper));
  fill(row.querySelector(".evidence"), evidence(paper));
}

/** Replaces the contents of a cell if its text changes. Unfolded details stay open, and the focus stays. */
function fill(cell, children) {
  const said = children.map((child) => child?.textContent ?? child).join("");
  if (cell.textContent === said) return;
  const open = [...cell.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent);
  cell.replaceChildren(...children);
  for (const one of cell.querySelectorAll("details")) one.open = open.includes(one.firstChild.textContent);
}

const about = (paper) => [people(paper.authors), paper.year, `similarity ${paper.similarity.toFixed(2)}`].filter(Boolean).join(" · ");

/** Why a paper was chosen: in words, then in numbers. Its passage is left out if the next cell shows it. */
function reasons({ reasons: told, why, evidence: given }) {
  if (!told?.theirs) return [why, told?.discovered].filter(Boolean);
  const beside = plain(given?.text).startsWith(plain(told.theirs));
  const theirs = !beside && `It says${told.page == null ? "" : ` (p. ${told.page})`}: “${told.theirs}”`;
  return [
    told.yours && html("details", { class: "cut" }, html("summary", {}, html("span", {}, `You write: “${told.yours}”`))),
    ...[theirs, told.relation, told.against, told.discovered].filter(Boolean).map((line) => html("p", {}, line)),
    told.numbers && html("details", {}, html("summary", {}, "In numbers"), told.numbers),
  ].filter(Boolean);
}

const plain = (text) => (text ?? "").replace(/\s+/g, " ").trim();

/** Why a paper was left out, and what it would have added. */
function leftOut({ left_out: reason, added, cited, discovered }) {
  return [reason + (cited ? " Your draft cites it." : ""), added, discovered].filter(Boolean).map((line) => html("p", {}, line));
}

function linked({ title, url }) {
  if (!/^https?:\/\//.test(url ?? "")) return title;
  return html("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, title);
}

/** The first sentence of the passage with its page; the rest of the passage is folded. */
function evidence({ evidence: given }) {
  if (!given?.text) return [];
  const text = plain(given.text);
  const source = given.page == null ? " (abstract)" : ` (p. ${given.page})`;
  const end = text.search(/[.!?]\s+[A-Z]/) + 1 || text.length;
  const first = end > 240 ? 240 : end;
  if (first >= text.length) return [text + source];
  const cut = first === 240 ? text.lastIndexOf(" ", first) : first;
  return [html("details", {}, html("summary", {}, text.slice(0, cut) + (first === 240 ? "…" : "") + source), text.slice(cut))];
}
