/** The table: chosen papers first, then those left out; rows are kept, so that the focus stays. */
import { at, html, keepingFocus, people } from "./dom.js";

const FIRST = 40; // rows, until all are asked for
const rows = new Map();
let act = { tick: () => {}, pin: () => {}, show: () => {} };
let sort = { by: "", down: true };
let all = false;
let last;

export function setUp(actions) {
  act = actions;
  for (const head of document.querySelectorAll("th[data-sort]")) {
    const by = head.dataset.sort;
    const button = html("button", { type: "button", onclick: () => sortBy(by) }, head.textContent);
    head.replaceChildren(button);
  }
  at("more").addEventListener("click", () => {
    all = true;
    draw(last);
    rows.get(ordered(last)[FIRST]?.id)?.querySelector("input").focus();
  });
}

export function draw(state) {
  last = state;
  const chosen = new Set(state.chosen), pinned = new Set(state.pinned);
  const papers = ordered(state);
  const shown = all ? papers : papers.slice(0, Math.max(FIRST, chosen.size));
  for (const paper of shown) dress(rowOf(paper), paper, chosen.has(paper.id), pinned.has(paper.id));
  keepingFocus(() => at("papers").tBodies[0].replaceChildren(...shown.map((paper) => rows.get(paper.id))));
  at("count").textContent = `${chosen.size} chosen, ${papers.length - chosen.size} left out`;
  at("more").hidden = shown.length === papers.length;
  at("more").textContent = `Show the other ${papers.length - shown.length} papers`;
  for (const head of document.querySelectorAll("th[data-sort]")) {
    head.setAttribute("aria-sort", head.dataset.sort !== sort.by ? "none" : sort.down ? "descending" : "ascending");
  }
}

/** Marks a paper's row, and brings it into view when asked. */
export function mark(id, scroll) {
  for (const [other, row] of rows) row.classList.toggle("shown", other === id);
  if (scroll) rows.get(id)?.scrollIntoView({ block: "nearest" });
}

function sortBy(by) {
  sort = { by, down: sort.by === by ? !sort.down : by !== "title" };
  draw(last);
}

function ordered({ papers, chosen }) {
  const place = new Map(chosen.map((id, index) => [id, index]));
  const key = (paper) => place.get(paper.id) ?? chosen.length + paper.rank;
  const sorted = [...papers].sort((a, b) => key(a) - key(b));
  if (!sort.by) return sorted;
  const sign = sort.down ? -1 : 1;
  const compare = (a, b) => (sort.by === "title" ? a.title.localeCompare(b.title) : (a[sort.by] ?? 0) - (b[sort.by] ?? 0));
  return sorted.sort((a, b) => sign * compare(a, b));
}

function rowOf(paper) {
  const known = rows.get(paper.id);
  if (known) return known;
  const use = html("input", { type: "checkbox", "aria-label": `Use ${paper.title}`, onchange: (event) => act.tick(paper.id, event.target.checked) });
  const pin = html("button", { type: "button", "aria-label": `Pin ${paper.title}`, onclick: () => act.pin(paper.id, pin.ariaPressed !== "true") }, "Pin");
  const row = html("tr", { "data-id": paper.id, onmouseenter: () => act.show(paper.id), onfocusin: () => act.show(paper.id) },
    html("td", {}, use), html("td", {}, pin),
    html("th", { scope: "row" }, linked(paper)),
    html("td", {}, people(paper.authors)),
    html("td", { class: "number" }, String(paper.year ?? "")),
    html("td", { class: "number" }, paper.similarity.toFixed(2)),
    html("td", { class: "why" }), html("td", { class: "evidence" }));
  rows.set(paper.id, row);
  return row;
}

function dress(row, paper, chosen, pinned) {
  row.className = [chosen ? "chosen" : "left", row.classList.contains("shown") ? "shown" : ""].join(" ").trim();
  row.querySelector("input").checked = chosen;
  row.querySelector("button").ariaPressed = String(pinned);
  row.querySelector(".why").replaceChildren(...(chosen ? reasons(paper) : leftOut(paper)));
  const key = `${paper.evidence?.page}:${paper.evidence?.text}`;
  const cell = row.querySelector(".evidence");
  if (cell.dataset.key === key) return;
  cell.dataset.key = key;
  cell.replaceChildren(...evidence(paper));
}

/** Why it is there: in words, and what is counted behind them. */
function reasons({ reasons: told, why }) {
  if (!told?.theirs) return [why];
  const lines = [told.yours && `You write: “${told.yours}”`, `It says${told.page == null ? "" : ` (p. ${told.page})`}: “${told.theirs}”`, told.relation, told.against];
  const shown = lines.filter(Boolean).map((line) => html("p", {}, line));
  return told.numbers ? [...shown, html("details", {}, html("summary", {}, "In numbers"), told.numbers)] : shown;
}

/** Why it is not there, and what it would have added. */
function leftOut({ left_out: reason, added, cited }) {
  return [reason + (cited ? " Your draft cites it." : ""), added].filter(Boolean).map((line) => html("p", {}, line));
}

function linked({ title, url }) {
  if (!/^https?:\/\//.test(url ?? "")) return title;
  return html("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, title);
}

/** The passage's first sentence; the rest behind it, and its page. */
function evidence({ evidence: given }) {
  if (!given?.text) return [];
  const text = given.text.replace(/\s+/g, " ").trim();
  const source = given.page == null ? " (abstract)" : ` (p. ${given.page})`;
  const end = text.search(/[.!?]\s+[A-Z]/) + 1 || text.length;
  const first = end > 240 ? 240 : end;
  if (first >= text.length) return [text + source];
  const cut = first === 240 ? text.lastIndexOf(" ", first) : first;
  return [html("details", {}, html("summary", {}, text.slice(0, cut) + (first === 240 ? "…" : "") + source), text.slice(cut))];
}
