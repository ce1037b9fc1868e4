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

/// A title in two parts: where there is no room for all of it, both its beginning and its end are seen, in which titles differ.
function titleOf({ title }) {
  const middle = title.length / 2, far = place => Math.abs(place - middle);
  const [at = title.length] = Array.from(title.matchAll(/[\s_.-]/g), one => one.index + 1).sort((one, other) => far(one) - far(other));
  return element("b", { dir: "auto" }, element("span", {}, title.slice(0, at)), element("i", {}, element("bdi", {}, title.slice(at))));
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
    made.replaceChildren(...items.map(item => {
      const tile = { number: element("span", { class: "number" }) };
      const parts = [element("span", { class: "what" }, chip(item), titleOf(item)), element("span", { class: "face" }, tile.number)];
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
