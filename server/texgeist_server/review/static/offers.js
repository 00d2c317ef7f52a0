/** The offered sentences: the differences to the author's sentence, and a button to take the new sentence. */
import { at, html, keepingFocus } from "./dom.js";

let act;
let drawn = "";

export function setUp(given) {
  act = given;
}

export function draw(offers, busy) {
  const words = JSON.stringify([offers, busy]);
  if (words === drawn) return; // unchanged: the list stays in place for the reader
  drawn = words;
  at("offers").hidden = offers.length === 0;
  keepingFocus(() => at("offered").replaceChildren(...offers.map((offer) => row(offer, busy))));
}

function row(offer, busy) {
  const differing = changes(offer.stands.split(/\s+/), offer.new.split(/\s+/));
  const told = differing.flatMap(({ kind, words }) => [kind ? html(kind, {}, words.join(" ")) : words.join(" "), " "]);
  const button = html("button", { type: "button", disabled: busy, onclick: () => act.take(offer) }, "Take the new sentence");
  return html("li", {}, html("p", {}, ...told), button);
}

/** Runs of words: in both sentences (""), only in the author's (`del`), or only in the new sentence (`ins`). */
export function changes(mine, theirs) {
  const length = Array.from({ length: mine.length + 1 }, () => new Uint16Array(theirs.length + 1));
  for (let i = mine.length - 1; i >= 0; i -= 1)
    for (let j = theirs.length - 1; j >= 0; j -= 1)
      length[i][j] = mine[i] === theirs[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
  const runs = [];
  const add = (kind, word) => (runs.at(-1)?.kind === kind ? runs.at(-1).words.push(word) : runs.push({ kind, words: [word] }));
  let i = 0, j = 0;
  while (i < mine.length || j < theirs.length) {
    if (mine[i] === theirs[j]) add("", mine[i]), (i += 1), (j += 1);
    else if (j >= theirs.length || (i < mine.length && length[i + 1][j] >= length[i][j + 1])) add("del", mine[i++]);
    else add("ins", theirs[j++]);
  }
  return runs;
}
