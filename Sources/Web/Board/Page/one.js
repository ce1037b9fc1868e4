// One counter: its marks, a number at the bottom, and the signs that a count was recorded.

import { address, animate, button, byId, chip, element, main, root } from "./elements.js";
import { colour } from "./colours.js";
import { drawDay, today } from "./day.js";
import { drawEvents, lastEvents, rememberOwn, undoLast, undoWords } from "./events.js";
import { sign } from "./icons.js";
import { drawList, list } from "./list.js";
import { sheet } from "./marks.js";
import { say } from "./notices.js";
import { drawPager, pageOf, pages } from "./pager.js";
import { make, waitingFor } from "./queue.js";
import { setting } from "./settings.js";
import { changeCounter, isUnknown, maySetUp, noCounter } from "./setup.js";
import { board, isWall, pick, shown, view } from "./state.js";
import { ago, detail, number, units, value, what, widthOf } from "./texts.js";

/// The elements of the counter that is shown.
let parts = null;

const waiting = byId("waiting"), header = document.querySelector("header");

export function drawOne() {
  const item = shown();
  root.classList.toggle("sided", Boolean(item));
  if (!item) {
    parts = null;
    header.append(waiting);
    const all = element("a", { href: "/all" }, "All counters");
    main.replaceChildren(board.picked === null || isUnknown() ? noCounter()
      : element("div", { class: "empty" }, element("h1", {}, `There is no counter called “${board.picked}”`), all));
    return;
  }
  if (!parts) begin();
  const past = byId("past");
  // A formula has no counts of its own.
  past.hidden = parts.acts.hidden = Boolean(item.formula);
  byId("setup").hidden = past.hidden || !maySetUp();
  byId("reset").hidden = past.hidden || !board.me;
  past.href = address("past", item.name);
  colour(item, root);
  byId("where").hidden = isWide();
  parts.chip.replaceWith(parts.chip = chip(item));
  if (parts.title.textContent !== item.title) parts.title.textContent = item.title;
  document.title = [...board.oldness === null ? [] : ["(old)"], value(item), item.title].join(" ");
  setNumber(item);
  press(item);
  armed(item);
  parts.detail.textContent = detail(item);
  parts.detail.className = "detail" + (item.full ? " full" : item.reached ? " reached" : "");
  gauge(item);
  parts.one.classList.toggle("halves", hasHalves(item));
  parts.minus.hidden = Boolean(item.stopwatch);
  parts.minus.ariaLabel = `Take ${number(item.stepDown ?? item.step)} off`;
  rememberOwn();
  parts.undoWords.textContent = undoWords();
  tellLast(item);
  drawEvents(drawOne);
  if (!isWall) drawPager("counter", pageOf(pages()), pages().length, next);
  if (isWide()) {
    drawList(open);
    drawDay(item);
  }
  drawMarks();
}

const isWide = () => root.classList.contains("wide");

function begin() {
  byId("setup").onclick = changeCounter;
  byId("reset").onclick = reset;
  parts = {
    title: element("h1", { dir: "auto" }), number: element("span", { class: "number" }), detail: element("p", { class: "detail" }), chip: element("span"),
    gauge: element("div", { class: "gauge" }, element("i")), away: element("p", { class: "away", hidden: true }), ripple: element("div", { class: "ripple" }),
    marks: sheet(), undoWords: element("span"), reset: button("Reset: press again", reset, { class: "armed", hidden: true }),
    minus: button("", () => make("subtract", shown()?.name, "button"), { class: "round" }), last: button("", () => parts.day.togglePopover?.(), { class: "ev" }),
  };
  const { title, marks } = parts;
  parts.undo = button("", undoLast);
  parts.undo.append(sign("undo"), parts.undoWords);
  parts.minus.append(sign("minus"));
  parts.box = element("div", { class: "box" }, parts.number, parts.away);
  parts.area = element("div", { class: "area" }, parts.ripple, marks.made, element("div", { class: "what" }, parts.chip, title), parts.box, parts.gauge, parts.detail);
  parts.acts = element("p", { class: "acts" }, parts.undo, parts.reset, parts.minus);
  const dock = element("div", { class: "dock" }, parts.last, waiting, parts.acts);
  parts.day = element("aside", { class: "day", popover: "auto", ariaLabel: "Last events" }, today, element("h2", {}, "Last events"), lastEvents);
  parts.one = element("section", { class: "one" }, list, element("div", { class: "middle" }, parts.area, dock), parts.day);
  list.hidden = !isWide();
  main.replaceChildren(parts.one);
  new ResizeObserver(() => drawMarks()).observe(marks.made);
}

// A screen that turns, or texts that grow, has another layout.
document.addEventListener("layout", () => {
  if (!parts) return;
  list.hidden = !isWide();
  if (board.state) drawOne();
});

const reset = () => make("reset", shown()?.name, "reset");

/// Makes a button of the number, for those who do not touch it.
function press(item) {
  const { box } = parts, isButton = board.me && !item.formula && !isWall;
  box.role = isButton ? "button" : null;
  box.ariaLabel = !isButton ? null
    : item.stopwatch ? `${item.title}. Press to ${item.since ? "stop" : "start"}`
    : `${item.title}, ${value(item)}. Press to add ${number(item.step)}`;
  if (isButton) box.tabIndex = 0; else box.removeAttribute("tabindex");
}

/// Whether the left half takes off and the right half adds.
export const hasHalves = item => setting("halves") && !isWall && !item.stopwatch && !item.formula;

/// How far a goal is, or how full a counter.
function gauge(item) {
  const share = item.percent ?? (item.maximum === undefined ? null : 100 * Number(item.text) / Number(item.maximum));
  parts.gauge.hidden = share === null || Number.isNaN(share);
  parts.gauge.firstChild.style.width = `${Math.min(100, Math.max(0, share))}%`;
  parts.gauge.classList.toggle("full", item.full === true);
}

/// The last event of the counter, in two lines; a press shows the others.
function tellLast(item) {
  const event = board.state.events.find(one => one.id === item.id);
  parts.last.replaceChildren(...event ? [element("b", {}, what(event)), ` ${ago(event.time)}`, element("small", {}, event.device ?? event.producer)]
    : [element("small", {}, "Last events")]);
}

/// Shows another counter here; what others see stays.
export function open(item) {
  pick(item);
  const path = address("counter", item.name) + location.search;
  if (view === "counter" || view === "") history.replaceState(null, "", path);
  document.dispatchEvent(new Event("shown"));
  drawOne();
}

/// The neighbour of the counter that is shown; null where it is alone.
export function neighbour(by) {
  const items = pages(), item = items[(pageOf(items) + by + items.length) % items.length];
  return item && item.id !== shown()?.id ? item : null;
}

export function next(by) {
  const item = neighbour(by);
  if (item) open(item);
}

/// Shows how much was counted while this page was not connected.
///
/// - Parameter before: the counters as they were shown last.
export function welcome(before) {
  const item = shown(), old = before.find(one => one.id === item?.id);
  if (!parts || !old || item.stopwatch || item.value === undefined) return;
  const change = BigInt(item.value) - BigInt(old.value);
  if (change === 0n) return;
  const { away } = parts;
  away.textContent = `${change > 0n ? "+" : ""}${number(units(change, item.decimals))} while away`;
  away.hidden = false;
  say();
  clearTimeout(parts.leaving);
  parts.leaving = setTimeout(() => { away.hidden = true; }, 10_000);
}

/// A reset is confirmed by a second press: the button says so, and a bar shows the time that is left.
function armed(item) {
  const event = board.state.events.find(one => one.id === item.id);
  const left = event?.kind === "armed" ? event.until / 1000 - (Date.now() + board.ahead) : 0;
  parts.reset.hidden = left <= 0;
  parts.undo.hidden = left > 0;
  parts.reset.classList.toggle("armed", left > 0);
  parts.reset.style.setProperty("--left", left > 0 ? `${left}ms` : "");
  clearTimeout(parts.lapse);
  if (left > 0) parts.lapse = setTimeout(drawOne, left + 50);
}

function setNumber(item) {
  const text = value(item);
  if (parts.number.textContent === text) return;
  parts.number.textContent = text;
  parts.area.style.setProperty("--width", widthOf(text).toFixed(2));
}

/// What was recorded of this device's counts before the queue knew it, or the other way round: the two are told apart by some
/// milliseconds, and a mark is not to be drawn twice meanwhile.
let credit = 0, queued = 0, settling = 0;

function drawMarks(isEvent = false) {
  const item = parts && shown();
  if (!item) return;
  const now = waitingFor(item.name, Number(item.step ?? 1), Number(item.stepDown ?? item.step ?? 1));
  if (Math.abs(now) < Math.abs(queued)) credit -= queued - now;
  queued = now;
  clearTimeout(settling);
  if (credit) settling = setTimeout(() => { credit = 0; drawMarks(); }, 400);
  const pending = now - credit;
  parts.marks.show(item, now * pending < 0 || !now && Math.abs(pending) > 20 ? 0 : pending, isEvent);
}
document.addEventListener("waiting", () => drawMarks());
document.addEventListener("shown", () => { credit = queued = 0; });

let flashedAt = -Infinity, ticking = 0;

/// The first count after a third of a second flashes; those within it light the rim, so that no more than three flashes
/// come in a second (WCAG 2.3.1).
export function acknowledge(event, isMine) {
  say();
  if (!parts || event.sign === 0) return;
  if (setting("sound")) beep(event.sign > 0 ? 880 : 440);
  if (setting("vibration")) navigator.vibrate?.(event.sign > 0 ? 30 : [30, 60, 30]);
  if (isMine && ["added", "subtracted"].includes(event.kind)) credit += Number(event.change);
  drawMarks(true);
  const { area } = parts, now = performance.now();
  clearTimeout(ticking);
  area.classList.add("tick");
  ticking = setTimeout(() => area.classList.remove("tick"), 250);
  if (!setting("flash") || now - flashedAt < 334) return;
  flashedAt = now;
  area.classList.toggle("down", event.sign < 0);
  animate(area, "flash");
}

/// Where the next flash begins: under the finger.
export function aim(x, y) {
  const { left, top } = parts?.area.getBoundingClientRect() ?? { left: 0, top: 0 };
  parts?.ripple.style.setProperty("--x", `${x - left}px`);
  parts?.ripple.style.setProperty("--y", `${y - top}px`);
}

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

// Redraws a running stopwatch in each frame.
function run() {
  const item = parts ? shown() : null;
  if (item?.since) {
    setNumber(item);
    parts.marks.show(item);
  }
  requestAnimationFrame(run);
}
requestAnimationFrame(run);
setInterval(() => { const item = parts ? shown() : null; if (item) tellLast(item); }, 5000);

// Against burn-in: a wall drifts once a minute, by at most 24 px and no more than the margin of the longest number.
if (isWall) {
  setInterval(() => {
    const most = Math.min(24, innerWidth * 0.015), by = () => `${(Math.random() * 2 - 1) * most}px`;
    document.body.style.translate = `${by()} ${by()}`;
  }, 60_000);
}
