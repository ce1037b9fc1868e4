// Taps, swipes and keys on one counter.

import { element } from "./elements.js";
import { drawHints, used } from "./help.js";
import { undoLast } from "./events.js";
import { aim, hasHalves, next as showNext } from "./one.js";
import { refuse } from "./notices.js";
import { make } from "./queue.js";
import { board, isOverview, isPast, isWall, shown } from "./state.js";

/// The fingers and the mouse that are down, by pointer, each with the counter that it came down on.
const touches = new Map();

function begin(event) {
  const area = event.target.closest(".area"), item = shown();
  if (!area || !item || isWall || event.button > 0) return;
  const { clientX: x, clientY: y, pointerId } = event, { left, width } = area.getBoundingClientRect();
  // A mouse is to be heard of where it comes up, wherever that is.
  event.target.setPointerCapture(pointerId);
  touches.set(pointerId, { x, y, item, isLeft: x < left + width / 2 });
  if (board.me) ring(x, y);
}

function end(event) {
  const touch = touches.get(event.pointerId);
  if (!touches.delete(event.pointerId)) return;
  const { x, y, item } = touch, dx = event.clientX - x, dy = event.clientY - y;
  const isTap = Math.hypot(dx, dy) < Math.min(innerWidth, innerHeight) / 8;
  if (!isTap && Math.abs(dx) > 2 * Math.abs(dy)) return next(dx < 0 ? 1 : -1);
  if (item.formula) return;
  if (isTap) {
    aim(event.clientX, event.clientY);
    return tap(touch);
  }
  if (dy > 2 * Math.abs(dx) && !item.stopwatch) {
    used("down");
    make("subtract", item.name, "swipe-down");
  } else if (board.me) refuse("Not counted: the finger slipped too far for a tap, and it was no swipe.");
}

// Chromium makes a fling of a quick swipe all the same, and the next press would only stop it.
document.addEventListener("touchmove", event => {
  if (board.me && event.target.closest(".area")) event.preventDefault();
}, { passive: false });

/// The buttons that further fingers are on. A browser makes clicks of the first finger only.
const pressed = new Map();
document.addEventListener("pointerdown", event => {
  const button = event.isPrimary ? null : event.target.closest("button");
  if (button) pressed.set(event.pointerId, button);
});
document.addEventListener("pointerup", event => {
  const button = pressed.get(event.pointerId);
  if (pressed.delete(event.pointerId) && document.elementFromPoint(event.clientX, event.clientY)?.closest("button") === button) button.click();
});
document.addEventListener("pointercancel", event => pressed.delete(event.pointerId));

// Screen readers, switches and voice press the number without a finger on it.
document.addEventListener("click", event => {
  const item = shown();
  if (event.detail !== 0 || !item || item.formula || isWall || !event.target.closest(".area")) return;
  used(board.me ? "add" : "watch");
  make(item.stopwatch ? "toggle" : "add", item.name, "click");
});

function tap({ item, isLeft }) {
  used(board.me ? "add" : "watch");
  if (!hasHalves(item)) return make(item.stopwatch ? "toggle" : "add", item.name, "tap");
  make(isLeft ? "subtract" : "add", item.name, isLeft ? "tap-left" : "tap-right");
}

function next(by) {
  used("side");
  showNext(by);
  drawHints();
}

function ring(x, y) {
  const made = element("i", { class: "ring" });
  Object.assign(made.style, { left: `${x}px`, top: `${y}px` });
  made.addEventListener("animationend", () => made.remove());
  document.body.append(made);
}

// On the document, which also hears of fingers whose counter has left the page meanwhile.
document.addEventListener("pointerdown", begin);
document.addEventListener("pointerup", end);
document.addEventListener("pointercancel", event => touches.delete(event.pointerId));

document.addEventListener("keydown", event => {
  if (isOverview || isPast || isWall || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("a, button, input, select, dialog")) return;
  const item = shown();
  if (!item) return;
  const acts = {
    " ": "add", Enter: "add", ArrowUp: "add", "+": "add", "-": "subtract", ArrowDown: "subtract", u: "undo",
    ArrowRight: 1, ArrowLeft: -1,
  };
  const act = acts[event.key];
  if (!act || event.repeat || !board.me && act.length) return;
  event.preventDefault();
  if (!act.length) return next(act);
  if (item.formula) return;
  used("keys");
  if (act === "undo") return undoLast(event.key);
  const verb = item.stopwatch ? { add: "toggle" }[act] : act;
  if (verb) make(verb, item.name, `key ${event.key === " " ? "space" : event.key}`);
});
