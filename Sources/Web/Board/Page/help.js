// Hints at what gestures do here. A hint goes after three uses; `?` brings all of them back.

import { byId, element, listen } from "./elements.js";
import { board, isOverview, isPast, isWall, maySetUp, shown, view } from "./state.js";
import { setting } from "./settings.js";
import { store } from "./store.js";
import { number } from "./texts.js";
import { showHand } from "./hand.js";
import { drawTutorial, isTeaching, mayOffer, teacher } from "./tutorial.js";

const enoughUses = 3;
const hintList = byId("hints");
const uses = name => Number(store.get(`used ${name}`) ?? 0);

/// What a tap and a swipe change, and whether there are keys.
export const amounts = item => ({
  up: `+${number(item.step)}`, down: `−${number(item.stepDown ?? item.step)}`, hasKeys: matchMedia("(hover: hover)").matches,
});

/// The gestures of this view: a name, a sign, and what it does.
function gesturesHere() {
  if (isWall || isPast || view === "pair" || !board.state) return [];
  const place = !setting("tiles") ? "a row opens its counter" : board.me ? "a tile counts, › opens its counter" : "a tile opens its counter";
  if (isOverview) return !document.querySelector(".row, .tile") ? [] : [["row", "●", place], ["select", "☑", maySetUp() ? "Select shares, orders and deletes" : "Select shares several"]];
  const item = shown();
  if (!item) return [];
  const { up, down, hasKeys: keys } = amounts(item);
  const isAlone = board.state.counters.filter(one => !one.archived).length < 2;
  const side = isAlone ? [] : [["side", keys ? "← →" : "⇠ ⇢", `${keys ? "or swipe " : "swipe "}to a side: another counter`]];
  if (!board.me) return [["watch", "○", board.why], ...side];
  if (item.formula) return side;
  if (item.stopwatch) return [["add", "●", "tap starts and stops"], ...side];
  const taps = setting("halves") ? [["add", "◐", `tap left ${down}, right ${up}`]] : [["add", "●", `tap ${up}`]];
  const tips = keys ? [["keys", "⌨", `space ${up}, ↓ ${down}${setting("keys") ? ", u undoes" : ""}`]] : [];
  return [...taps, ["down", "↓", `swipe down ${down}`], ...side, ...tips];
}

export function drawHints() {
  drawTutorial();
  showHand(gesturesHere);
  // No sentence stands twice on the page.
  const wanted = isTeaching() ? [] : gesturesHere().filter(([name, , words]) => uses(name) < enoughUses && words !== byId("notice").textContent);
  const offer = wanted.length && mayOffer() ? [element("li", {}, teacher())] : [], text = JSON.stringify([wanted, offer.length]);
  if (hintList.dataset.text === text) return;
  hintList.dataset.text = text;
  hintList.replaceChildren(...wanted.map(([, sign, words]) =>
    element("li", {}, element("b", { ariaHidden: "true" }, sign), ` ${words}`)), ...offer);
  hintList.hidden = !wanted.length;
}

listen("noticed", drawHints);

/// Counts a use of a gesture, after which its hint is not needed any more.
export function used(name) {
  if (uses(name) >= enoughUses) return;
  store.set(`used ${name}`, String(uses(name) + 1));
  drawHints();
}

export function showHints() {
  for (const key of store.keys("used ")) store.delete(key);
  drawHints();
}
