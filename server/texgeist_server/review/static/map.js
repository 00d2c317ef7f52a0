/** The map, with a point for each paper. The map is a single Tab stop; arrow keys move between the points. */
import { at, svg } from "./dom.js";

const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const points = new Map();
let papers = [];
let current;
let act = { show: () => {}, toggle: () => {} };

export function setUp(actions) {
  act = actions;
  at("points").append(
    ...[0.25, 0.5, 0.75, 1].map((r) => svg("circle", { class: "ring", r })),
    svg("g", { id: "dots" }),
    svg("path", { class: "draft", d: "M0 -.05L.05 0L0 .05L-.05 0Z", "aria-hidden": "true" }, svg("title", {}, "Your draft")),
  );
}

export function draw(state) {
  papers = state.papers;
  const chosen = new Set(state.chosen), pinned = new Set(state.pinned);
  const here = new Set(papers.map((paper) => paper.id));
  for (const [id, point] of points) if (!here.has(id)) (point.remove(), points.delete(id));
  for (const paper of papers) dress(pointOf(paper), paper, chosen.has(paper.id), pinned.has(paper.id));
  if (!here.has(current)) current = state.chosen[0] ?? papers[0]?.id;
  roam();
}

/** Marks the point of this paper only. */
export function mark(id) {
  for (const [other, point] of points) point.classList.toggle("shown", other === id);
}

function pointOf(paper) {
  const known = points.get(paper.id);
  if (known) return known;
  const point = svg("g", { class: "point", role: "checkbox", "data-id": paper.id, transform: `translate(${paper.x} ${paper.y})` },
    svg("title", {}, paper.title), svg("circle", { class: "halo", r: 0.06 }), svg("circle", { class: "left", r: 0.022 }));
  point.addEventListener("mouseenter", () => act.show(paper.id));
  point.addEventListener("focus", () => (current = paper.id, roam(), act.show(paper.id)));
  point.addEventListener("click", () => (focus(paper.id), act.show(paper.id, true)));
  point.addEventListener("dblclick", () => act.toggle(paper.id));
  point.addEventListener("keydown", (event) => pressed(event, paper));
  points.set(paper.id, point);
  at("dots").append(point);
  return point;
}

function dress(point, paper, chosen, pinned) {
  const dot = point.lastElementChild;
  dot.setAttribute("class", (chosen ? "chosen" : "left") + (pinned ? " pinned" : ""));
  dot.setAttribute("r", chosen ? 0.034 : 0.022);
  point.setAttribute("aria-checked", String(chosen));
  const words = [paper.title, paper.year, `similarity ${paper.similarity.toFixed(2)}`, pinned ? "pinned" : ""];
  point.setAttribute("aria-label", words.filter(Boolean).join(", "));
}

function pressed(event, paper) {
  if (event.key === " " || event.key === "Enter") act.toggle(paper.id);
  else if (event.key in KEYS) focus(neighbour(paper, KEYS[event.key]) ?? paper.id);
  else if (event.key === "Home") focus(papers[0].id);
  else if (event.key === "End") focus(papers[papers.length - 1].id);
  else return;
  event.preventDefault();
}

/** The id of the nearest paper in the direction (`dx`, `dy`), at most 45° off; undefined if there is none. */
function neighbour(from, [dx, dy]) {
  let best, least = Infinity;
  for (const paper of papers) {
    const x = paper.x - from.x, y = paper.y - from.y;
    const along = x * dx + y * dy, across = Math.abs(x * dy - y * dx);
    if (paper.id === from.id || along <= 1e-9 || across > along) continue;
    if (along + 2 * across < least) [least, best] = [along + 2 * across, paper.id];
  }
  return best;
}

function focus(id) {
  current = id;
  roam();
  points.get(id)?.focus();
}

function roam() {
  for (const [id, point] of points) point.setAttribute("tabindex", id === current ? "0" : "-1");
}
