// One counter: its marks, a number at the bottom, and the signs that a count was recorded.

import { address, animate, announce, button, byId, chip, element, fill, gauge, hide, listen, main, put, root, setClass, vary } from "./elements.js";
import { colour } from "./colours.js";
import { armedFor, drawEvents, isOwn, lastEvents, lastOf, rememberEvents, undoLast, undoWords } from "./events.js";
import { isUnknown, noCounter, nothingCalled } from "./empty.js";
import { sign } from "./icons.js";
import { openLater } from "./later.js";
import { counterList, drawList } from "./list.js";
import { tallySheet } from "./marks.js";
import { say } from "./notices.js";
import { beside, drawPager, pageOf, pages } from "./pager.js";
import { make, waitingFor } from "./queue.js";
import { mayFlash, setting } from "./settings.js";
import { board, isWall, maySetUp, pick, shown, view } from "./state.js";
import { ago, detail, number, pressWords, units, value, what, writeNumber } from "./texts.js";

/// The elements of the counter that is shown, and beside it its last day.
let face = null;
const today = element("section", { class: "today", hidden: true });

const waiting = byId("waiting"), header = document.querySelector("header");

/// - Parameter event: the change that is drawn, if it is one.
export function drawOne(event) {
  const item = shown();
  setClass("sided", Boolean(item));
  if (!item) {
    face = null;
    header.append(waiting);
    for (const name of ["past", "edit", "share", "reset"]) hide(byId(name), true);
    document.title = "Tallymark";
    main.replaceChildren(board.picked === null || isUnknown() ? noCounter() : nothingCalled("counter", board.picked));
    return;
  }
  if (!face) {
    beginOne();
    tellTitle();
  }
  const past = byId("past");
  // A formula has no counts of its own.
  past.hidden = face.acts.hidden = Boolean(item.formula);
  hide(byId("edit"), !maySetUp());
  hide(byId("reset"), past.hidden || !board.me);
  past.href = address("past", item.name);
  colour(item, root);
  if (face.icon !== item.icon) face.chip.replaceWith(face.chip = chip(item));
  face.icon = item.icon;
  put(face.title, item.title);
  titling ||= setTimeout(tellTitle, 1000);
  writeNumber(face.number, value(item));
  makeButton(item);
  armed(item);
  put(face.detail, detail(item));
  face.detail.className = "detail" + (item.full ? " full" : item.reached ? " reached" : "");
  fill(face.gauge, item);
  face.one.classList.toggle("halves", hasHalves(item));
  face.minus.hidden = Boolean(item.stopwatch);
  face.minus.ariaLabel = `Take ${number(item.stepDown ?? item.step)} off`;
  rememberEvents();
  tellUndo();
  tellLast(item);
  if (isWide() || face.day.matches(":popover-open")) drawEvents(drawOne);
  const items = pages();
  if (!isWall) drawPager("counter", pageOf(items), items.length, nextCounter);
  if (isWide()) {
    drawList(openCounter);
    openLater("drawDay", item, today);
  }
  const isOfThis = event?.id === item.id;
  if (isOfThis && isOwn(event) && ["added", "subtracted"].includes(event.kind)) credit += Number(event.change);
  drawMarks(isOfThis && event.sign !== 0);
  if (item.since) running ||= requestAnimationFrame(run);
}

const isWide = () => root.classList.contains("wide");

function beginOne() {
  byId("edit").onclick = () => openLater("changeCounter");
  byId("reset").onclick = askReset;
  byId("share").hidden = false;
  byId("share").onclick = () => openLater("shareCounter");
  face = {
    title: element("h1", { dir: "auto" }), number: element("span", { class: "number" }), detail: element("p", { class: "detail" }), chip: element("span"), icon: null,
    gauge: gauge(), away: element("p", { class: "away", hidden: true }), ripple: element("div", { class: "ripple" }),
    marks: tallySheet(), undoWords: element("span"), reset: button("Reset: press again", askReset, { class: "armed", hidden: true }),
    minus: button(sign("minus"), () => make("subtract", shown(), "button"), { class: "round" }), last: button("", () => face.day.togglePopover?.(), { class: "ev" }),
  };
  const { title, marks } = face;
  face.undo = button(sign("undo"), undoLast);
  face.undo.append(face.undoWords);
  face.box = element("div", { class: "box" }, face.number, face.away);
  face.area = element("div", { class: "area" }, face.ripple, marks.made, element("div", { class: "what" }, face.chip, title), face.box, face.gauge, face.detail);
  face.acts = element("p", { class: "acts" }, face.undo, face.reset, face.minus);
  const dock = element("div", { class: "dock" }, face.last, waiting, face.acts);
  face.day = element("aside", { class: "day", popover: "auto", ariaLabel: "Last events" }, today, element("h2", {}, "Last events"), lastEvents);
  face.one = element("section", { class: "one" }, counterList, element("div", { class: "middle" }, face.area, dock), face.day);
  face.day.addEventListener("beforetoggle", () => drawEvents(drawOne));
  counterList.hidden = !isWide();
  main.replaceChildren(face.one);
  new ResizeObserver(([{ contentRect: { width, height } }]) => {
    marks.size(width, height);
    drawMarks();
  }).observe(marks.made);
  // A page that is much longer than the window, as of large texts, is scrolled by a finger on the number.
  new ResizeObserver(() => setClass("tall", root.scrollHeight > 1.1 * innerHeight)).observe(face.one);
}

// A screen that turns, or texts that grow, has another layout.
listen("layout", () => {
  if (!face) return;
  counterList.hidden = !isWide();
  if (board.state) drawOne();
});

/// The title of the window follows once a second: a browser takes longer for it than for the number.
let titling = 0;
function tellTitle() {
  const item = shown();
  titling = 0;
  if (item) document.title = `${board.oldness === null ? "" : "old: "}${value(item)} ${item.title}`;
}

const askReset = () => make("reset", shown(), "reset");

/// Makes a button of the number, for those who do not touch it.
function makeButton(item) {
  const { box } = face, isButton = board.me && !item.formula && !isWall;
  box.role = isButton ? "button" : null;
  box.ariaLabel = isButton ? `${item.title}${item.stopwatch ? "" : `, ${value(item)}`}. ${pressWords(item)}` : null;
  // A browser lays the page out before it gives the element that has the focus another place in the order.
  if (!isButton) box.removeAttribute("tabindex"); else if (box.tabIndex) box.tabIndex = 0;
}

/// Whether the left half takes off and the right half adds.
export const hasHalves = item => setting("halves") && !isWall && !item.stopwatch && !item.formula;

function tellUndo() {
  if (!face) return;
  const words = undoWords(face.undo.hidden);
  if (face.undoWords.textContent === words) return;
  // An amount stands beside Undo, longer words below it.
  const [, first, more] = /^(Undo(?: [+−]\S{1,6}(?!\S))?)(.*)/.exec(words);
  face.undoWords.replaceChildren(first, element("small", {}, more));
}

/// The last event of the counter, in two lines; a press shows the others.
function tellLast(item) {
  const event = lastOf(item);
  const words = event ? [what(event), ago(event.time), event.device ?? event.producer] : [], text = words.join("\n");
  if (face.told === text) return;
  face.told = text;
  const [change, when, by] = words;
  face.last.replaceChildren(...event ? [element("b", {}, change), " ", element("time", {}, when), element("small", {}, by)] : [element("small", {}, "Last events")]);
}

/// Shows another counter here; what others see stays.
export function openCounter(item) {
  pick(item);
  const path = address("counter", item.name) + location.search;
  if (view === "counter" || view === "") history.replaceState(null, "", path);
  announce("shown");
  drawOne();
}

/// The neighbour of the counter that is shown; null where it is alone.
export function neighbour(by) {
  const items = pages(), item = beside(items, pageOf(items), by);
  return item && item.id !== shown()?.id ? item : null;
}

export function nextCounter(by) {
  const item = neighbour(by);
  if (item) openCounter(item);
}

/// Shows how much was counted while this page was not connected.
///
/// - Parameter before: the counters as they were shown last.
export function welcome(before) {
  const item = shown(), old = before.find(one => one.id === item?.id);
  if (!face || !old || item.stopwatch || item.value === undefined) return;
  const change = BigInt(item.value) - BigInt(old.value);
  if (change === 0n) return;
  const { away } = face;
  away.textContent = `${change > 0n ? "+" : ""}${number(units(change, item.decimals))} while away`;
  away.hidden = false;
  say(item.id);
  clearTimeout(face.leaving);
  face.leaving = setTimeout(() => { away.hidden = true; }, 10_000);
}

/// A press that comes so late for a reset, in milliseconds, is not to undo something.
const grace = 700;

/// The last event of each counter: among the last ones of all, those of other counters displace it.
const newest = new Map();

/// A reset is confirmed by a second press of the same device: the button says so, and a bar shows the time that is left.
function armed(item) {
  for (const one of board.state.events) if (!(newest.get(one.id)?.sequence > one.sequence)) newest.set(one.id, one);
  const event = newest.get(item.id), left = event && isOwn(event) ? armedFor(event) : -grace;
  const isThere = left > -grace;
  hide(face.reset, !isThere);
  hide(face.undo, isThere);
  face.reset.classList.toggle("armed", left > 0);
  if (left > 0) vary(face.reset, { left: `${left}ms` });
  clearTimeout(face.lapse);
  if (isThere) face.lapse = setTimeout(drawOne, left + grace + 50);
}

/// What was recorded of this device's counts before the queue knew it, or the other way round: the two are told apart by some
/// milliseconds, and a mark is not to be drawn twice meanwhile.
let credit = 0, queued = 0, settling = 0;

/// Learns what waits of a counter; returns it.
function askQueue(item) {
  const now = waitingFor(item);
  if (Math.abs(now) < Math.abs(queued)) credit -= queued - now;
  queued = now;
  return now;
}

function drawMarks(isEvent = false) {
  const item = face && shown();
  if (!item) return;
  const now = askQueue(item);
  clearTimeout(settling);
  if (credit) settling = setTimeout(() => { credit = 0; drawMarks(); }, 400);
  const pending = now - credit;
  face.marks.show(item, now * pending < 0 || !now && Math.abs(pending) > 20 ? 0 : pending, isEvent);
}
let marking = 0;
// Draws in the next frame: a browser lays out what a finger's event has changed before the next event of the same finger.
listen("waiting", () => {
  const item = face && shown();
  if (item) askQueue(item);
  marking ||= requestAnimationFrame(() => {
    marking = 0;
    drawMarks();
  });
});
listen("undoable", () => {
  const item = face && shown();
  if (!item) return;
  tellUndo();
  tellLast(item);
});
listen("shown", () => { credit = queued = 0; });

let ticking = 0;

/// Each count lights the rim, and flashes if it may.
export function acknowledge(event) {
  say(event.id);
  if (event.sign === 0) return;
  if (setting("sound")) beep(event.sign > 0 ? 880 : 440);
  if (setting("vibration")) navigator.vibrate?.(event.sign > 0 ? 30 : [30, 60, 30]);
  if (!face) return;
  const { area } = face;
  clearTimeout(ticking);
  area.classList.add("tick");
  ticking = setTimeout(() => area.classList.remove("tick"), 250);
  if (!mayFlash()) return;
  if (aimed) vary(face.ripple, aimed);
  area.classList.toggle("down", event.sign < 0);
  animate(area, "flash");
  setTimeout(() => area.classList.remove("flash"), 260);
}

let aimed = null;
/// Where the next flash begins: under the finger, by the corner of the area.
export function aim(x, y) { aimed = { x: `${x}px`, y: `${y}px` }; }

let audio = null;
/// A browser lets a page sound only after the person touched it.
function beep(pitch) {
  audio ??= new AudioContext();
  const tone = new OscillatorNode(audio, { frequency: pitch }), volume = new GainNode(audio, { gain: 0.2 });
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.12);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.12);
}

let running = 0;
/// Redraws a running stopwatch in each frame.
function run() {
  const item = face ? shown() : null;
  running = 0;
  if (!item?.since) return;
  writeNumber(face.number, value(item));
  face.marks.show(item);
  running = requestAnimationFrame(run);
}
setInterval(() => { const item = face ? shown() : null; if (item) tellLast(item); }, 5000);
