// Taps, swipes and keys on one counter.

import { element } from "./elements.js";
import { drawHints, used } from "./help.js";
import { drawOne, hasHalves } from "./one.js";
import { make } from "./queue.js";
import { board, isOverview, isPast, isWall, shown } from "./state.js";

const main = document.getElementById("view");
let touch = null;

function begin(event) {
  if (isWall || event.button > 0 || touch) return;
  touch = { id: event.pointerId, x: event.clientX, y: event.clientY };
  if (board.me) ring(event.clientX, event.clientY);
}

function end(event) {
  if (touch?.id !== event.pointerId) return;
  const { x, y } = touch, dx = event.clientX - x, dy = event.clientY - y;
  const far = Math.min(innerWidth, innerHeight) / 8;
  touch = null;
  const item = shown();
  if (!item || item.formula) return;
  if (Math.hypot(dx, dy) < far) return tap(item, x);
  if (Math.abs(dy) > 2 * Math.abs(dx)) {
    if (dy > 0 && !item.stopwatch) {
      used("down");
      make("subtract", item.name, "swipe-down");
    }
    return;
  }
  if (Math.abs(dx) > 2 * Math.abs(dy)) next(dx < 0 ? 1 : -1);
}

function tap(item, x) {
  used(board.me ? "add" : "watch");
  if (!hasHalves(item)) return make(item.stopwatch ? "toggle" : "add", item.name, "tap");
  const { left, width } = main.querySelector(".area").getBoundingClientRect(), isLeft = x < left + width / 2;
  make(isLeft ? "subtract" : "add", item.name, isLeft ? "tap-left" : "tap-right");
}

/// Shows the next counter here; what others see stays.
function next(by) {
  const items = board.state.counters.filter(one => !one.archived), place = items.findIndex(one => one.id === shown()?.id);
  const item = items[(place + by + items.length) % items.length];
  if (!item) return;
  used("side");
  board.picked = item.name;
  history.replaceState(null, "", `/counter/${encodeURIComponent(item.name)}${location.search}`);
  drawOne();
  drawHints();
}

function ring(x, y) {
  const made = element("i", { class: "ring" });
  made.style.setProperty("left", `${x}px`);
  made.style.setProperty("top", `${y}px`);
  made.addEventListener("animationend", () => made.remove());
  document.body.append(made);
}

main.addEventListener("pointerdown", event => { if (event.target.closest(".area")) begin(event); });
main.addEventListener("pointerup", end);
main.addEventListener("pointercancel", () => { touch = null; });

document.addEventListener("keydown", event => {
  if (isOverview || isPast || isWall || !board.me || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("a, button, input, select, dialog")) return;
  const item = shown();
  if (!item) return;
  const acts = {
    " ": "add", Enter: "add", ArrowUp: "add", "+": "add", "-": "subtract", ArrowDown: "subtract", u: "undo",
    ArrowRight: () => next(1), ArrowLeft: () => next(-1),
  };
  const act = acts[event.key];
  if (!act || event.repeat) return;
  event.preventDefault();
  if (typeof act === "function") return act();
  if (item.formula) return;
  const verb = act === "undo" || !item.stopwatch ? act : act === "add" ? "toggle" : null;
  used("keys");
  if (verb) make(verb, item.name, `key ${event.key === " " ? "space" : event.key}`);
});
