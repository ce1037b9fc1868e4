// Several counters as tiles in their colours, which fill the space however many they are.

import { address, animate, button, chip, element, vary } from "./elements.js";
import { colour } from "./colours.js";
import { mayFlash } from "./settings.js";
import { board, isWall } from "./state.js";
import { pressWords, value, writeNumber } from "./texts.js";

/// What a list draws anew when it changes.
export const looksOf = items => items.map(one => [one.id, one.name, one.title, one.icon, one.colour, one.locked]);

/// Lights what stands for a counter that was counted; where it may not flash, its rim.
export function light(made) {
  if (!made) return;
  made.classList.remove("tick", "rim");
  animate(made, mayFlash() ? "tick" : "rim");
}

/// So many letters of a part of a title are seen at least.
const seen = 6;
const partAt = (title, place) => `${title} `.slice(place, place + seen);
/// Where the second part of a title may begin: at its words, the nearest to the middle first.
const placesOf = title => Array.from(title.matchAll(/[\s_.-]|\p{Ideographic}/gu), one => one.index + one[0].length)
  .sort((one, other) => Math.abs(one - title.length / 2) - Math.abs(other - title.length / 2));

/// Titles in two parts each: where there is no room for all of one, the beginnings of both parts are seen. The second one begins
/// with letters that no part of another title has which begins alike.
function titlesOf(items) {
  const all = items.map(({ title }) => ({ title, begin: title.slice(0, seen), parts: new Set(placesOf(title).map(place => partAt(title, place))) }));
  return items.map(({ title }) => {
    const others = all.filter(one => one.title !== title && one.begin === title.slice(0, seen)), places = placesOf(title);
    const at = places.find(place => !others.some(one => one.parts.has(partAt(title, place)))) ?? places[0] ?? title.length;
    return element("b", { dir: "auto" }, element("span", {}, title.slice(0, at)), element("i", {}, title.slice(at)));
  });
}

/// The least width of a tile, in pixels, however many there are: its middle counts, beside the link to its counter.
const narrowest = 110;

/// The number of columns whose tiles are the largest.
function columns(count, width, height) {
  let best = 1, size = 0;
  for (let number = 1; number <= Math.min(count, width / narrowest); number++) {
    const side = Math.min(width / number, 1.4 * height / Math.ceil(count / number));
    if (side > size + 1) [best, size] = [number, side];
  }
  return best;
}

/// - Parameter act: takes a press of a tile.
export function tiles(act) {
  const made = element("ul", { class: "tiles" });
  let shown = new Map(), layout = "";

  function build(items) {
    shown = new Map();
    const titles = titlesOf(items);
    made.replaceChildren(...items.map((item, place) => {
      const tile = { number: element("span", { class: "number" }) };
      const parts = [element("span", { class: "what" }, chip(item), titles[place]), element("span", { class: "face" }, tile.number)];
      const mayCount = board.me && !item.formula && !item.locked && !isWall;
      const body = mayCount ? button("", () => act(item), { class: "tile" }) : isWall ? element("div", { class: "tile" }) : element("a", { class: "tile", href: address("counter", item.name) });
      body.append(...parts);
      tile.body = body;
      tile.made = colour(item, element("li", {}, body, ...mayCount ? [element("a", { class: "open", href: address("counter", item.name), ariaLabel: `Open ${item.title}` }, "›")] : []));
      shown.set(item.id, tile);
      return tile.made;
    }));
  }

  function show(items) {
    const next = JSON.stringify([Boolean(board.me), looksOf(items)]);
    if (next !== layout) build(items);
    layout = next;
    for (const item of items) {
      const tile = shown.get(item.id), text = value(item);
      writeNumber(tile.number, text);
      if (tile.body.localName === "button") tile.body.ariaLabel = `${item.title}, ${text}. ${pressWords(item)}`;
    }
    share();
  }

  function share() {
    const count = shown.size, inRow = columns(count, made.clientWidth, made.clientHeight);
    vary(made, { columns: inRow, rows: Math.ceil(count / inRow) });
  }
  new ResizeObserver(share).observe(made);
  return { made, show, tile: id => shown.get(id)?.made };
}
