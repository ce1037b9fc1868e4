// The counters at the left of a wide screen.

import { address, chip, element } from "./elements.js";
import { colour } from "./colours.js";
import { headed, inGroups, shown } from "./state.js";
import { value } from "./texts.js";

let listRows = new Map(), listLayout = "";
export const counterList = element("nav", { class: "list", ariaLabel: "Counters" });

/// - Parameter open: shows a counter in this page.
export function drawList(open) {
  const groups = inGroups(), next = JSON.stringify(groups.map(({ group, items }) => [group?.title, items.map(one => [one.id, one.name, one.title, one.icon, one.colour])]));
  if (next !== listLayout) {
    listLayout = next;
    listRows = new Map();
    counterList.replaceChildren(...groups.flatMap(({ group, items }) => [
      element("h2", {}, headed(group)), element("ul", {}, ...items.map(item => listLine(item, open)))]));
  }
  for (const { items } of groups) {
    for (const item of items) {
      const row = listRows.get(item.id), text = value(item);
      if (row.value.textContent !== text) row.value.textContent = text;
      row.made.ariaCurrent = item.id === shown()?.id ? "true" : null;
    }
  }
}

function listLine(item, open) {
  const row = { value: element("span", { class: "value" }) };
  row.made = element("a", { href: address("counter", item.name), onclick: event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(item);
  } }, chip(item), element("b", { dir: "auto" }, item.title), row.value);
  listRows.set(item.id, row);
  return element("li", {}, colour(item, row.made));
}
