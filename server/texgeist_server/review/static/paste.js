/** Sends a draft that the user pasted or dropped on the page, with limits of date and category. */
import { at } from "./dom.js";

export function setUp({ search }) {
  const limits = () => Object.fromEntries(["since", "until", "categories"].map((name) => [name, at(name).value]));
  const take = async (file) =>
    search(file ? { pdf: await inBase64(file), name: file.name, ...limits() } : { text: at("abstract").value, ...limits() });
  at("paste").addEventListener("submit", (event) => (event.preventDefault(), take(at("pdf").files[0])));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!at("paste").hidden && event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
  });
}

function inBase64(file) {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result.split(",")[1] ?? ""));
    reader.readAsDataURL(file);
  });
}
