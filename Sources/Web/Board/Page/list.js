// The counters at the left of a wide screen, and those that are pinned: on this device they come before all groups.

import { address, chip, element, put } from "./elements.js";
import { colour } from "./colours.js";
import { headed, inGroups, shown } from "./state.js";
import { store } from "./store.js";
import { isOther, sumOf } from "./sums.js";
import { value } from "./texts.js";
import { looksOf } from "./tiles.js";

const pinKey = "pinned", pins = new Set(store.list(pinKey));
export const isPinned = one => pins.has(one.id);
export function pin(items, isOn) {
  for (const { id } of items) if (isOn) pins.add(id); else pins.delete(id);
  store.set(pinKey, JSON.stringify([...pins]));
}

/// The pinned counters and the groups, each with its heading, the items to show there, and `all` of the group.
///
/// - Parameter hasTop: whether the pinned ones have a section of their own.
export function sectionsOf(groups, hasTop = true) {
  const all = groups.map(one => ({ ...one, title: headed(one.group), all: one.items })), items = all.flatMap(one => one.items).filter(isPinned);
  if (!hasTop || !items.length) return all;
  const others = all.map(one => ({ ...one, items: one.items.filter(item => !isPinned(item)) }));
  return [{ group: null, title: "Pinned", isTop: true, items, all: items }, ...others].filter(one => one.items.length);
}

let listRows = new Map(), listHeads = [], listLayout = "";
export const counterList = element("nav", { class: "list", ariaLabel: "Counters" });

/// - Parameter open: shows a counter in this page.
export function drawList(open) {
  const groups = sectionsOf(inGroups()), next = JSON.stringify(groups.map(({ title, items }) => [title, looksOf(items)]));
  if (next !== listLayout) {
    listLayout = next;
    listRows = new Map();
    listHeads = groups.map(() => ({ sum: element("span", { class: "sum" }) }));
    counterList.replaceChildren(...groups.flatMap(({ title, items }, place) => [
      element("h2", {}, title, listHeads[place].sum), element("ul", {}, ...items.map(item => listLine(item, open)))]));
  }
  const current = shown()?.id;
  for (const [place, { all, group, items }] of groups.entries()) {
    const head = listHeads[place];
    if (isOther(head, all)) put(head.sum, sumOf(all, group).head ?? "");
    for (const item of items) {
      const row = listRows.get(item.id);
      put(row.value, value(item));
      row.made.ariaCurrent = item.id === current ? "true" : null;
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
