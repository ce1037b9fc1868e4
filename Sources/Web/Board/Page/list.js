// The counters at the left of a wide screen.

import { address, chip, element } from "./elements.js";
import { colour } from "./colours.js";
import { board, inGroups, shown } from "./state.js";
import { value } from "./texts.js";

let rows = new Map(), layout = "";
const made = element("nav", { class: "list", ariaLabel: "Counters" });
export const list = made;

/// - Parameter open: shows a counter in this page.
export function drawList(open) {
  const groups = inGroups(), next = JSON.stringify(groups.map(({ group, items }) => [group?.title, items.map(one => [one.id, one.name, one.title, one.icon, one.colour])]));
  if (next !== layout) {
    layout = next;
    rows = new Map();
    made.replaceChildren(...groups.flatMap(({ group, items }) => [
      element("h2", {}, group?.title ?? (board.state.groups.length ? "Without a group" : "Counters")), element("ul", {}, ...items.map(item => line(item, open)))]));
  }
  for (const { items } of groups) {
    for (const item of items) {
      const row = rows.get(item.id), text = value(item);
      if (row.value.textContent !== text) row.value.textContent = text;
      row.made.ariaCurrent = item.id === shown()?.id ? "true" : null;
    }
  }
}

function line(item, open) {
  const row = { value: element("span", { class: "value" }) };
  row.made = element("a", { href: address("counter", item.name), onclick: event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(item);
  } }, chip(item), element("b", { dir: "auto" }, item.title), row.value);
  rows.set(item.id, row);
  return element("li", {}, colour(item, row.made));
}
