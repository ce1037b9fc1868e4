// Hints at what gestures do here. A hint goes after three uses; `?` brings all of them back.

import { element } from "./elements.js";
import { board, isOverview, isPast, isWall, shown, view } from "./state.js";
import { setting } from "./settings.js";
import { store } from "./store.js";
import { number } from "./texts.js";

const enough = 3;
const places = document.getElementById("hints");
const uses = name => Number(store.get(`used ${name}`) ?? 0);

/// The gestures of this view: a name, a sign, and what it does.
function gestures() {
  if (isWall || isPast || view === "pair" || !board.state) return [];
  if (isOverview) return [["row", "●", "a row opens its counter"], ["select", "☑", "Select shares several"]];
  const item = shown();
  if (!item) return [];
  const keys = matchMedia("(hover: hover)").matches;
  const side = ["side", keys ? "← →" : "⇠ ⇢", `${keys ? "or swipe " : "swipe "}to a side: another counter`];
  if (!board.me) return [["watch", "○", "this device only watches; to count: tally-board pair"], side];
  if (item.formula) return [side];
  if (item.stopwatch) return [["add", "●", "tap starts and stops"], side];
  const up = `+${number(item.step)}`, down = `−${number(item.stepDown ?? item.step)}`;
  const taps = setting("halves") ? [["add", "◐", `tap left ${down}, right ${up}`]] : [["add", "●", `tap ${up}`]];
  const tips = keys ? [["keys", "⌨", `space ${up}, − ${down}, u undoes`]] : [];
  return [...taps, ["down", "↓", `swipe down ${down}`], side, ...tips];
}

export function drawHints() {
  const wanted = gestures().filter(([name]) => uses(name) < enough);
  const text = JSON.stringify(wanted);
  if (places.dataset.text === text) return;
  places.dataset.text = text;
  places.replaceChildren(...wanted.map(([, sign, words]) =>
    element("li", {}, element("b", { textContent: sign, ariaHidden: "true" }), ` ${words}`)));
  places.hidden = !wanted.length;
}

/// Counts a use of a gesture, after which its hint is not needed any more.
export function used(name) {
  if (uses(name) >= enough) return;
  store.set(`used ${name}`, String(uses(name) + 1));
  drawHints();
}

export function showHints() {
  for (const key of store.keys("used ")) store.delete(key);
  drawHints();
}
