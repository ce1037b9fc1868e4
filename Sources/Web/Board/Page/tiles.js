// Several counters as tiles in their colours, which fill the space however many they are.

import { address, button, chip, element } from "./elements.js";
import { colour } from "./colours.js";
import { make } from "./queue.js";
import { board, isWall } from "./state.js";
import { number, value, widthOf } from "./texts.js";

/// Counts by a press of a row's or a tile's button.
export const press = item => make(item.stopwatch ? "toggle" : "add", item.name, "tile");

/// The number of columns whose tiles are the largest.
function columns(count, width, height) {
  let best = 1, size = 0;
  for (let number = 1; number <= count; number++) {
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
      const parts = [element("span", { class: "what" }, chip(item), element("b", { dir: "auto" }, item.title)), element("span", { class: "face" }, tile.number)];
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
    const next = JSON.stringify([Boolean(board.me), items.map(one => [one.id, one.name, one.title, one.icon, one.colour, one.locked])]);
    if (next !== layout) build(items);
    layout = next;
    for (const item of items) {
      const tile = shown.get(item.id), text = value(item);
      if (tile.number.textContent !== text) tile.number.textContent = text;
      tile.number.style.setProperty("--width", widthOf(text).toFixed(2));
      if (tile.body.localName === "button") tile.body.ariaLabel = `${item.title}, ${text}. Press to ${item.stopwatch ? item.since ? "stop" : "start" : `add ${number(item.step)}`}`;
    }
    const inRow = columns(items.length, made.clientWidth || innerWidth, made.clientHeight || innerHeight);
    made.style.setProperty("--columns", inRow);
    made.style.setProperty("--rows", Math.ceil(items.length / inRow));
  }
  new ResizeObserver(() => { if (shown.size) layoutAgain(); }).observe(made);
  const layoutAgain = () => {
    const inRow = columns(shown.size, made.clientWidth, made.clientHeight);
    made.style.setProperty("--columns", inRow);
    made.style.setProperty("--rows", Math.ceil(shown.size / inRow));
  };
  return { made, show, tile: id => shown.get(id)?.made };
}
