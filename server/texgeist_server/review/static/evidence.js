/** Shows the evidence by query; ticked evidence goes to the writer. Strings from papers never become markup. */
import { ask } from "./api.js";
import { at, html } from "./dom.js";

const boxes = () => [...document.querySelectorAll("input[name=piece]")];

function piece(one) {
  const box = html("input", { type: "checkbox", name: "piece", value: one.id, checked: true, onchange: count });
  const where = [one.heading, one.page ? `page ${one.page}` : ""].filter(Boolean).join(", ");
  const model = one.model == null ? "" : `, by the model ${one.model.toFixed(2)}`;
  const scores = `score ${one.score.toFixed(2)}: cosine ${one.vector.toFixed(2)}${model}`;
  const pdf = one.pdf ? html("a", { href: one.pdf, target: "_blank", rel: "noopener" }, "open the PDF") : null;
  return html("div", { class: "piece", id: `piece-${one.id}` },
    html("label", {}, box, ` [${one.id}] ${one.title}${one.year ? ` (${one.year})` : ""}`),
    html("p", { class: "scores" }, `${where}; ${scores}`, pdf ? " · " : null, pdf),
    one.summary ? html("p", {}, one.summary) : null,
    html("details", { open: !one.summary }, html("summary", {}, "The passage"), html("blockquote", {}, one.text)));
}

function query(asked, known, shown) {
  const by = asked.by === "default" ? "from your draft" : "asked by the model";
  const fresh = asked.found.filter((id) => known.has(id) && !shown.has(id));
  const again = asked.found.filter((id) => shown.has(id));
  fresh.forEach((id) => shown.add(id));
  return html("section", {},
    html("h2", {}, asked.text),
    html("p", { class: "why" }, [by, asked.why].filter(Boolean).join(": ")),
    asked.refused ? html("p", { class: "why" }, `Not run: ${asked.refused}`) : null,
    ...fresh.map((id) => piece(known.get(id))),
    again.length ? html("p", { class: "why" }, `Found again: ${again.join(", ")}`) : null);
}

function count() {
  const ticked = boxes().filter((box) => box.checked).length;
  at("count").textContent = `${ticked} of ${boxes().length} ticked`;
  at("begin").disabled = !ticked;
}

function tick(value) {
  boxes().forEach((box) => { box.checked = value; });
  count();
}

async function draft(event) {
  event.preventDefault();
  at("said").textContent = "";
  const ids = boxes().filter((box) => box.checked).map((box) => box.value);
  try {
    await ask("api/draft", { ids });
    at("said").textContent = "The section is being written; it appears in your editor.";
  } catch (error) {
    at("said").textContent = error.message;
  }
}

async function begin() {
  try {
    const found = await ask("api/evidence");
    const known = new Map(found.evidence.map((one) => [one.id, one]));
    const shown = new Set();
    document.title = at("title").textContent = `Evidence for “${found.heading}” of ${found.file}`;
    at("stopped").textContent = [found.stopped, ...found.notes].join(" ");
    at("sends").textContent = found.sends;
    at("queries").replaceChildren(...found.queries.map((asked) => query(asked, known, shown)));
    at("choice").addEventListener("submit", draft);
    at("all").addEventListener("click", () => tick(true));
    at("none").addEventListener("click", () => tick(false));
    count();
  } catch (error) {
    at("said").textContent = error.message;
  }
}

begin();
