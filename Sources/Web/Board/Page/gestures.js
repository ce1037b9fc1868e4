// Taps, swipes and keys on one counter.

import { byId, element, isForPage, listen, root } from "./elements.js";
import { drawHints, used } from "./help.js";
import { undoLast } from "./events.js";
import { showMeant, hideMeant } from "./follow.js";
import { aim, hasHalves, neighbour, nextCounter } from "./one.js";
import { groupBeside, isChoosing, turnTo } from "./overview.js";
import { refuse, slipped } from "./notices.js";
import { make, press } from "./queue.js";
import { board, isOverview, isPast, isWall, shown } from "./state.js";
import { go } from "./stream.js";

/// The fingers and the mouse that are down, by pointer, each with the counter that it came down on.
const touches = new Map();

function fingerDown(event) {
  const area = event.target.closest(".area"), item = shown();
  if (!area || !item || isWall || event.button > 0) return;
  const { clientX: x, clientY: y, pointerId } = event, { left, top, width } = area.getBoundingClientRect();
  // A mouse is to be heard of where it comes up, wherever that is.
  event.target.setPointerCapture(pointerId);
  touches.set(pointerId, { x, y, left, top, item, isLeft: x < left + width / 2, isEdge: event.pointerType === "touch" && x < 24 });
  if (board.me) ring(x, y);
}

/// What a finger does if it is lifted now.
function meant({ x, y, item, isEdge }, { clientX, clientY }) {
  const dx = clientX - x, dy = clientY - y;
  if (Math.hypot(dx, dy) < Math.min(innerWidth, innerHeight) / 8) return "tap";
  if (Math.abs(dx) > 2 * Math.abs(dy)) return dx < 0 ? "after" : isEdge ? "all" : "before";
  if (Math.abs(dy) <= 2 * Math.abs(dx)) return null;
  return dy < 0 ? "up" : item.formula || item.stopwatch || !board.me ? null : "down";
}

/// The page says beside the edge that a finger moves to what it would do there.
function fingerMoved(event) {
  const touch = touches.get(event.pointerId);
  if (!touch) return;
  touch.act = meant(touch, event);
  // Two fingers that move apart zoom, or mean nothing.
  for (const other of touches.values()) if (![touch.act, other.act ?? "tap"].includes("tap") && other.act !== touch.act) touch.isSpread = other.isSpread = true;
  showMeant(touch.isSpread ? null : touch.act, touch.item, neighbour);
}

function fingerUp(event) {
  const touch = touches.get(event.pointerId);
  if (!touches.delete(event.pointerId)) return;
  hideMeant();
  const { item } = touch, act = meant(touch, event);
  if (touch.isSpread) return;
  if (act === "all") go("/all");
  else if (act === "before" || act === "after") goNext(act === "after" ? 1 : -1);
  else if (act === "up") openSettings();
  else if (item.formula) return;
  else if (act === "tap") {
    aim(event.clientX - touch.left, event.clientY - touch.top);
    tap(item, !hasHalves(item) ? "tap" : touch.isLeft ? "tap-left" : "tap-right");
  } else if (act === "down") {
    used("down");
    make("subtract", item, "swipe-down");
  } else if (board.me) refuse(slipped);
}

/// The settings of the counter; those of the device where it may not set up.
const openSettings = () => byId(byId("edit").hidden ? "settings" : "edit").click();

// Chromium makes a fling of a quick swipe all the same, and the next press would only stop it.
listen("touchmove", event => {
  const { target } = event;
  if (board.me && (target.closest(".area") ? !root.classList.contains("tall") : target.closest(".tile") && root.scrollHeight <= innerHeight)) event.preventDefault();
}, { passive: false });

/// The buttons that fingers are on. A browser makes a click of one finger only, which is down alone and does not slip.
const pressed = new Map();
/// The button that this page has clicked since the last finger came down.
let clicked = null;
listen("pointerdown", event => {
  const button = event.target.closest("button"), { clientX: x, clientY: y, isPrimary } = event;
  clicked = null;
  if (!isPrimary) for (const one of pressed.values()) one.isAlone = false;
  if (button && event.pointerType !== "mouse") pressed.set(event.pointerId, { button, x, y, isAlone: isPrimary, item: {} });
});
listen("pointerup", event => {
  const one = pressed.get(event.pointerId), { clientX: x, clientY: y } = event;
  if (!pressed.delete(event.pointerId)) return;
  const { button } = one, counts = button.matches(".add, .tile"), hasSlipped = counts && Math.hypot(x - one.x, y - one.y) > 9;
  if (document.elementFromPoint(x, y)?.closest("button") === button && (!counts || meant(one, event) === "tap")) {
    if (one.isAlone && !hasSlipped) return;
    button.click();
    clicked = button;
  } else if (hasSlipped && !overviewSwipe(event)) refuse(slipped);
});
listen("click", event => {
  // The browser makes a click of this finger as well.
  if (event.isTrusted && event.detail && clicked?.contains(event.target)) event.stopPropagation();
}, { capture: true });
listen("pointercancel", event => pressed.delete(event.pointerId));

// Screen readers, switches and voice press the number without a finger on it.
listen("click", event => {
  const item = shown();
  if (event.detail === 0 && item && !item.formula && !isWall && event.target.closest(".area")) tap(item, "click");
});

function tap(item, gesture) {
  used(board.me ? "add" : "watch");
  if (gesture === "tap-left") make("subtract", item, gesture); else press(item, gesture);
}

function goNext(by) {
  used("side");
  nextCounter(by);
  drawHints();
}

/// The rings that have ended. They stay in the page: to add and to remove an element costs two layouts.
const rings = [];

function ring(x, y) {
  requestAnimationFrame(() => {
    const made = rings.pop() ?? newRing();
    made.style.translate = `${x}px ${y}px`;
    made.animation.play();
  });
}

function newRing() {
  const made = element("i", { class: "ring" });
  document.body.append(made);
  const [animation] = made.getAnimations();
  animation.onfinish = () => {
    animation.cancel();
    rings.push(made);
  };
  return Object.assign(made, { animation });
}

// On the document, which also hears of fingers whose counter has left the page meanwhile.
listen("pointerdown", fingerDown);
listen("pointermove", fingerMoved);
listen("pointerup", fingerUp);
listen("pointercancel", event => { touches.delete(event.pointerId); hideMeant(); });

// A swipe to a side of the overview shows that of the neighbouring group. Where rows are selected, a swipe is one of a row.
let swipe = null;
const overviewSwipe = ({ clientX, clientY, pointerId }) => {
  const dx = clientX - swipe?.x;
  return swipe?.pointerId === pointerId && Math.abs(dx) > innerWidth / 5 && Math.abs(dx) > 2 * Math.abs(clientY - swipe.y) ? dx < 0 ? "after" : "before" : null;
};
listen("pointerdown", ({ target, pointerType, pointerId, isPrimary, clientX: x, clientY: y }) => {
  endSwipe();
  swipe = isOverview && isPrimary && pointerType === "touch" && !isChoosing() && target.closest(".all") ? { x, y, pointerId } : null;
  if (board.me && target.closest(".add, button.tile")) ring(x, y);
});
listen("pointermove", event => { if (swipe?.pointerId === event.pointerId) showMeant(overviewSwipe(event), null, groupBeside); });
listen("pointerup", event => {
  const way = overviewSwipe(event);
  if (swipe?.pointerId === event.pointerId) endSwipe();
  if (way) turnTo(way === "after" ? 1 : -1);
});
listen("pointercancel", endSwipe);
function endSwipe() {
  if (swipe) hideMeant();
  swipe = null;
}

listen("keydown", event => {
  if (isPast || isWall || !isForPage(event) || event.target.closest("#menu")) return;
  // These press what has the focus; arrows move it in a list.
  if ((isOverview || [" ", "Enter"].includes(event.key)) && event.target.closest("a, button")) return;
  const turn = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (isOverview) return turn && !isChoosing() ? turnTo(turn) : null;
  const item = shown();
  if (!item) return;
  const acts = {
    " ": "add", Enter: "add", ArrowUp: "add", "+": "add", "-": "subtract", ArrowDown: "subtract", u: "undo",
    ArrowRight: 1, ArrowLeft: -1, s: openSettings, a: () => go("/all"),
  };
  const act = acts[event.key];
  if (!act || event.repeat || !board.me && act.length) return;
  event.preventDefault();
  if (act.call) return act();
  if (!act.length) return goNext(act);
  if (item.formula) return;
  used("keys");
  if (act === "undo") return undoLast(event.key);
  const verb = item.stopwatch ? { add: "toggle" }[act] : act;
  if (verb) make(verb, item, `key ${event.key === " " ? "space" : event.key}`);
});
