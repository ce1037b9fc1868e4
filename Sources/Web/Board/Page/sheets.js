// Sheets over the page, which Escape and a press beside them close. On a phone a sheet comes from below.

import { colour } from "./colours.js";
import { button, chip, element, listen, put, signed } from "./elements.js";
import { titled } from "./notices.js";
import { post } from "./queue.js";

/// Opens a sheet, in the place of another one.
///
/// - Parameter title: the heading, or a function that returns the counter that the sheet is about.
export function sheet(title, ...children) {
  const item = title.call ? title : null, words = element("h2", { dir: "auto" }, item ? item().title : title);
  const head = element("header", {}, words, signed("close", "Close", () => made.close()));
  // Beside the sheet is the dialog's own ground. A selection of text that ends there is no press.
  let isBeside = false;
  const isOutside = ({ target, clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = made.getBoundingClientRect();
    return target === made && (x < left || x > right || y < top || y > bottom);
  };
  const made = element("dialog", {
    ariaLabel: words.textContent, tabIndex: -1,
    onpointerdown: event => { isBeside = isOutside(event); },
    onclick: event => { if (isBeside && isOutside(event)) made.close(); },
  }, head, ...children);
  const show = () => {
    if (!item) return;
    const now = item();
    // Somebody has deleted the counter.
    if (!now) return made.close();
    put(words, now.title);
    if (head.firstChild !== words) head.firstChild.remove();
    head.prepend(chip(now));
    colour(now, made);
  };
  show();
  listen("changed", show);
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

/// A line that a screen reader says when it changes.
export const status = (...words) => element("p", { role: "status" }, ...words);

/// A field for text.
export const text = more => element("input", { autocomplete: "off", placeholder: "none", ...more });

/// - Parameter send: is called when the form is sent.
export const formOf = (send, ...children) => element("form", { onsubmit: event => {
  event.preventDefault();
  send();
} }, ...children);

/// A part of a sheet: rows with lines between them.
export const card = (...rows) => element("div", { class: "card" }, ...rows);

const row = (made, words, hint, controls) => {
  made.append(element("span", {}, words, ...hint ? [element("small", {}, hint)] : []), ...controls);
  return made;
};

/// A row: words with a hint below them, and what can be set at the other side.
export const field = (words, hint, ...controls) => row(element("label"), words, hint, controls);

/// A row with buttons instead of a field.
export const buttonRow = (words, hint, ...controls) => row(element("div", { class: "line" }), words, hint, controls);

/// A field that is on or off.
export const onOff = () => element("input", { type: "checkbox", role: "switch" });

export const choice = (options, more) => element("select", more, ...options.map(([value, textContent]) => element("option", { value, textContent })));

/// A button that undoes changes, the last one first.
///
/// - Parameters:
///   - sequences: their numbers in the order of their events; those that are undone are taken out.
///   - tell: is called when all are undone, or with the sentence of the board about one that is not.
export function undoing(words, sequences, tell) {
  const made = button("Undo", async () => {
    made.disabled = true;
    while (sequences.length) {
      const { status, body } = await postPatiently("/undo", { sequence: sequences.at(-1) });
      if (status !== 200) {
        made.disabled = false;
        return tell(titled(body.message));
      }
      sequences.pop();
    }
    tell();
  }, { ariaLabel: `Undo: ${words}` });
  return made;
}

/// Posts a change, and again after a second where the board refuses it as one too many.
export async function postPatiently(path, change) {
  for (;;) {
    const answer = await post(path, change);
    if (answer.status !== 429) return answer;
    await new Promise(resolve => setTimeout(resolve, 1000));
  }
}
