/** Creates elements. Strings from papers become text, never markup. */
export const at = (id) => document.getElementById(id);

export const html = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

export const svg = (name, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

function fill(element, attributes = {}, children = []) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** Runs `change`, and restores the focus if the focused element lost it because elements were moved. */
export function keepingFocus(change) {
  const focused = document.activeElement;
  change();
  if (focused && focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
}

/** "Ada Lovelace, Alan Turing and 4 others"; a final "others" stands for authors who are not named, as in BibTeX. */
export function people(authors) {
  if (authors.at(-1) === "others") return `${authors.slice(0, -1).slice(0, 2).join(", ")} et al.`;
  if (authors.length <= 3) return authors.join(", ");
  return `${authors.slice(0, 2).join(", ")} and ${authors.length - 2} others`;
}
