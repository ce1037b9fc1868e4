// One counter: a number that fills the space, and the signs that a count was recorded.

import { address, animate, button, byId, colour, element, main } from "./elements.js";
import { say } from "./notices.js";
import { make, undo } from "./queue.js";
import { setting } from "./settings.js";
import { changeCounter, isUnknown, maySetUp, noCounter } from "./setup.js";
import { board, isWall, shown } from "./state.js";
import { detail, number, subject, time, units, value, what, who } from "./texts.js";

/// The elements of the counter that is shown.
let parts = null;

export function drawOne() {
  const item = shown();
  if (!item) {
    parts = null;
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
  past.href = address("past", item.name);
  colour(item, parts.one);
  parts.title.textContent = [item.icon, item.title].filter(Boolean).join(" ");
  document.title = `${value(item)} ${item.title}`;
  setNumber(item);
  press(item);
  armed(item);
  parts.detail.textContent = detail(item);
  parts.detail.className = "detail" + (item.full ? " full" : item.reached ? " reached" : "");
  gauge(item);
  parts.one.classList.toggle("halves", hasHalves(item));
  rememberOwn();
  nameUndo();
  events();
}

function begin() {
  byId("setup").onclick = changeCounter;
  parts = {
    title: element("h1"), number: element("span", { class: "number" }), detail: element("p", { class: "detail" }),
    gauge: element("div", { class: "gauge" }, element("i")), away: element("p", { class: "away", hidden: true }),
    last: element("ol", { class: "last", ariaLabel: "Last events" }), lines: new Map(),
    undo: button("Undo", undoLast),
    reset: button("Reset", () => make("reset", shown()?.name, "reset")),
  };
  const { title, last } = parts;
  parts.box = element("div", { class: "box" }, parts.number, parts.away);
  const area = element("div", { class: "area" }, title, parts.box, parts.gauge, parts.detail);
  parts.acts = element("p", { class: "acts" }, parts.undo, parts.reset);
  parts.one = element("section", { class: "one" }, area, parts.acts, last);
  main.replaceChildren(parts.one);
}

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

/// The events that were undone. An undo that was itself undone took nothing back.
function undoneEvents() {
  const undone = new Set();
  // Newest first.
  for (const event of board.state.events) if (event.undoes && !undone.has(event.sequence)) undone.add(event.undoes);
  return undone;
}

/// Whether this device may undo an event by its number. The core says why it cannot, as of a step that counts followed.
const mayUndo = event => event.undoable || event.settings && maySetUp();

/// The events that this page has asked to undo.
const asked = new Set();

/// What this device did to counters, newest first; the core tells others only.
let own = [];
const ownKept = 100;

/// Whether this device made a change, from a page of any origin.
const isOwn = event => `${event.producer}/`.startsWith(`tally-board/${board.me?.id}/`);

function rememberOwn() {
  const undone = undoneEvents(), known = new Set(own.map(one => one.sequence));
  own = [...board.state.events.filter(one => isOwn(one) && !known.has(one.sequence)), ...own]
    .filter(one => !undone.has(one.sequence)).sort((one, other) => other.sequence - one.sequence).slice(0, ownKept);
}

/// The change that the button takes back: the last one of this device, else the last one of the counter.
function toUndo() {
  const item = shown(), undone = undoneEvents();
  const isOpen = one => one.id === item?.id && !["armed", "undone"].includes(one.kind) && !undone.has(one.sequence) && !asked.has(one.sequence);
  return own.find(isOpen) ?? board.state.events.find(isOpen);
}

/// Undoes it by its number, so that a later change of somebody else stays.
export async function undoLast() {
  const item = shown(), event = toUndo();
  // The core knows older ones.
  if (!event || !mayUndo(event)) return make("undo", item?.name, "undo");
  asked.add(event.sequence);
  if (!await undo(event.sequence)) asked.delete(event.sequence);
}

/// The button says what it takes back, and whose that is if it is not this device's.
function nameUndo() {
  const event = toUndo(), isCount = event && ["added", "subtracted"].includes(event.kind);
  parts.undo.textContent = !isCount ? "Undo" : isOwn(event) ? `Undo ${what(event)}` : `Undo ${what(event)} (${event.device ?? event.producer})`;
}

let listedAt = -Infinity, listing = 0;

/// The last events. A line stays the same element, so that a finger or the keyboard on its button keeps it.
function events() {
  const { events, counters } = board.state, rest = listedAt + 1000 - performance.now();
  clearTimeout(listing);
  // What others do moves the buttons at most once a second, so that a finger finds its own.
  if (rest > 0 && parts.lines.size && events.length && !isOwn(events[0])) {
    listing = setTimeout(drawOne, rest);
    return;
  }
  listedAt = performance.now();
  const lines = new Map(), undone = undoneEvents(), ids = new Set();
  for (const event of events) {
    const line = parts.lines.get(event.sequence) ?? lineOf(event);
    const isFree = event.settings || event.kind === "added" || event.kind === "subtracted";
    const isLast = !ids.has(event.id);
    ids.add(event.id);
    const counter = counters.find(one => one.id === event.id), isOpen = counter && !counter.locked;
    line.classList.toggle("undone", undone.has(event.sequence));
    // Other changes than counts and settings can be taken back while they are the last one.
    line.lastChild.hidden = !(board.me && mayUndo(event) && (isFree || isLast) && isOpen) || undone.has(event.sequence);
    lines.set(event.sequence, line);
  }
  parts.lines = lines;
  const made = [...lines.values()];
  for (const old of [...parts.last.children]) if (!made.includes(old)) old.remove();
  made.forEach((line, index) => {
    if (parts.last.children[index] !== line) parts.last.insertBefore(line, parts.last.children[index] ?? null);
  });
}

function lineOf(event) {
  const name = `${what(event)} ${event.counter}`;
  return element("li", {},
    element("span", {}, time(event.time)),
    element("b", {}, what(event)),
    element("span", {}, [subject(event), who(event)].filter(Boolean).join(", ")),
    button("Undo", () => undo(event.sequence), { class: "plain", ariaLabel: `Undo ${name}` }));
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
  parts.reset.textContent = left > 0 ? "Reset: press again" : "Reset";
  parts.reset.classList.toggle("armed", left > 0);
  parts.reset.style.setProperty("--left", left > 0 ? `${left}ms` : "");
  clearTimeout(parts.lapse);
  if (left > 0) parts.lapse = setTimeout(drawOne, left + 50);
}

function setNumber(item) {
  const text = value(item);
  if (parts.number.textContent === text) return;
  parts.number.textContent = text;
  parts.number.style.setProperty("--width", text.length + 0.4);
}

let flashedAt = -Infinity, ticking = 0;

/// The first count after a third of a second flashes; those within it light the rim, so that no more than three flashes
/// come in a second (WCAG 2.3.1).
export function acknowledge(event) {
  say();
  if (!parts || event.sign === 0) return;
  if (setting("sound")) beep(event.sign > 0 ? 880 : 440);
  if (setting("vibration")) navigator.vibrate?.(event.sign > 0 ? 30 : [30, 60, 30]);
  const box = parts.box, now = performance.now();
  clearTimeout(ticking);
  box.classList.add("tick");
  ticking = setTimeout(() => box.classList.remove("tick"), 300);
  if (!setting("flash") || now - flashedAt < 334) return;
  flashedAt = now;
  box.classList.toggle("down", event.sign < 0);
  animate(box, "flash");
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
  if (item?.since) setNumber(item);
  requestAnimationFrame(run);
}
requestAnimationFrame(run);

// Against burn-in: a wall drifts once a minute, by at most 24 px and no more than the margin of the longest number.
if (isWall) {
  setInterval(() => {
    const most = Math.min(24, innerWidth * 0.015), by = () => `${(Math.random() * 2 - 1) * most}px`;
    document.body.style.translate = `${by()} ${by()}`;
  }, 60_000);
}
