// A hand that shows each gesture once, the first time that a device may count.

import { element, listen } from "./elements.js";
import { draw } from "./icons.js";
import { board, shown, view } from "./state.js";
import { store } from "./store.js";
import { isTeaching } from "./tutorial.js";

const handKey = "used hand", handPause = 1400;
let handTimer = 0, hand = null;

/// - Parameter gestures: the names, signs and words of what can be done with the counter.
export function showHand(gestures) {
  if (handTimer || hand || store.get(handKey) || !board.me || view === "all" || !shown() || shown().formula || isTeaching()) return;
  handTimer = setTimeout(() => showGesture(gestures().filter(([name]) => ["add", "down", "side"].includes(name))), handPause);
}

function showGesture([first, ...others]) {
  hand?.remove();
  hand = null;
  if (!first || isTeaching()) return endHand();
  const [name, , words] = first;
  hand = element("div", { id: "hand", class: `show-${name}`, ariaHidden: "true" }, draw("svg", { viewBox: "0 0 48 48" },
    draw("path", { d: "M19 27V9a4 4 0 0 1 8 0v13l9 2a5 5 0 0 1 4 6l-2 8a9 9 0 0 1-9 7h-6a9 9 0 0 1-7-4l-8-11a3 3 0 0 1 5-4z" })), element("span", {}, words));
  document.body.append(hand);
  handTimer = setTimeout(() => showGesture(others), handPause);
}

function endHand() {
  clearTimeout(handTimer);
  handTimer = 0;
  hand?.remove();
  hand = null;
  store.set(handKey, "1");
}

// Who counts already needs no hand.
for (const kind of ["pointerdown", "keydown"]) listen(kind, () => { if (hand || handTimer) endHand(); });
