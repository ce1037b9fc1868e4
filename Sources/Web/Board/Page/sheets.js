// Sheets over the page, which Escape and a press beside them close. On a phone a sheet comes from below.

import { colour } from "./colours.js";
import { chip, element, signed } from "./elements.js";
import { post } from "./queue.js";

/// Opens a sheet, in the place of another one.
///
/// - Parameter title: the heading, or a function that returns the counter that the sheet is about.
export function sheet(title, ...children) {
  const item = title.call ? title : null, words = element("h2", { dir: "auto" }, item ? item().title : title);
  const head = element("header", {}, words, signed("close", "Close", () => made.close()));
  const made = element("dialog", { ariaLabel: words.textContent, tabIndex: -1 }, head, ...children);
  const show = () => {
    const now = item?.();
    if (!now) return;
    if (words.textContent !== now.title) words.textContent = now.title;
    if (head.firstChild !== words) head.firstChild.remove();
    head.prepend(chip(now));
    colour(now, made);
  };
  show();
  if (item) document.addEventListener("changed", show);
  // Beside the sheet is the dialog's own ground. A selection of text that ends there is no press.
  let isBeside = false;
  const isOutside = ({ target, clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = made.getBoundingClientRect();
    return target === made && (x < left || x > right || y < top || y > bottom);
  };
  made.addEventListener("pointerdown", event => { isBeside = isOutside(event); });
  made.addEventListener("click", event => { if (isBeside && isOutside(event)) made.close(); });
  made.addEventListener("close", () => {
    document.removeEventListener("changed", show);
    made.remove();
  });
  document.querySelector("dialog")?.close();
  document.body.append(made);
  made.showModal();
  made.focus();
  return made;
}

/// A part of a sheet: rows with lines between them.
export const card = (...rows) => element("div", { class: "card" }, ...rows);

/// A row: words with a hint below them, and what can be set at the other side.
export const field = (words, hint, ...controls) =>
  element("label", {}, element("span", {}, words, ...hint ? [element("small", {}, hint)] : []), ...controls);

/// A row with buttons instead of a field.
export const buttonRow = (words, hint, ...controls) =>
  element("div", { class: "line" }, element("span", {}, words, ...hint ? [element("small", {}, hint)] : []), ...controls);

/// A field that is on or off.
export const onOff = () => element("input", { type: "checkbox", role: "switch" });

export const choice = (options, more) => element("select", more, ...options.map(([value, textContent]) => element("option", { value, textContent })));

/// Posts a change, and again after a second where the board refuses it as one too many.
export async function postPatiently(path, change) {
  for (;;) {
    const answer = await post(path, change);
    if (answer.status !== 429) return answer;
    await new Promise(resolve => setTimeout(resolve, 1000));
  }
}
