// The events of counters, newest first, by the hour and the counter; each that can be undone has a button for it.

import { button, byId, element, signed } from "./elements.js";
import { undoneAmong, wholeUndo } from "./events.js";
import { openLater } from "./later.js";
import { ask, undo } from "./queue.js";
import { board, maySetUp, newestFirst } from "./state.js";
import { hasWords, isOfDay, number, subjectOf, time, what, who } from "./texts.js";

const hourList = element("div"), older = button("Earlier events", () => loadEvents(nextEvents)), listSaid = element("p", { role: "status" });
const filter = element("input", { type: "search", placeholder: "Filter by words, such as a device", ariaLabel: "Filter the events", oninput: drawHours });
const ofBar = element("p", { class: "steps", hidden: true });
export const eventList = element("section", { class: "events" }, element("h2", {}, "Events"), filter, ofBar, hourList, listSaid, older);

/// What is listed: the counters or the group, the time of the chart unless it is the last one, and the time of the events.
let listed = null, listedPage = null, listedTimes = null;
/// The events by number, the number before which there are more, and the events that were undone just now.
let eventsFound = new Map(), nextEvents = null, eventQueries = 0;
/// How many events are kept until a person asks for earlier ones, and whether one did.
const mostKeptEvents = 100;
let hasEarlier = false;
const undoneHere = new Set();

/// Loads the last events; those that were loaded before stay.
///
/// - Parameters:
///   - asked: the counters or the group.
///   - page: the time of the chart; null for the last one, before which there may be more events.
///   - bar: only the events of a bar, whose time `title` says.
export function showHistory(asked, page, bar = null, title = "") {
  const isSame = JSON.stringify([listed, listedPage]) === JSON.stringify([asked, page]);
  // A later look at the same keeps the bar that a person has chosen.
  if (isSame && !bar && !ofBar.hidden) return;
  if (!isSame || bar) eventsFound = new Map();
  listed = asked;
  listedPage = page;
  listedTimes = bar ?? page;
  if (ofBar.contains(document.activeElement)) filter.focus();
  ofBar.hidden = !bar;
  ofBar.replaceChildren(element("b", {}, title), button("All events", () => {
    listed = null;
    showHistory(asked, page);
  }));
  loadEvents(null);
  if (bar) eventList.scrollIntoView({ block: "nearest" });
}

async function loadEvents(before) {
  const query = eventQueries += 1, { status, body } = await ask(`/history?${new URLSearchParams({ ...listed, ...listedTimes, ...before && { before } })}`);
  if (query !== eventQueries) return;
  listSaid.textContent = status === 200 ? "" : body.message;
  if (status !== 200) return;
  // More came than an answer holds: those between would be missing.
  if (!before && body.next && !body.events.some(one => eventsFound.has(one.sequence))) eventsFound.clear();
  const isFirst = !eventsFound.size;
  for (const one of body.events) eventsFound.set(one.sequence, one);
  if (before || isFirst) nextEvents = body.next ?? null;
  hasEarlier = !isFirst && (hasEarlier || before !== null);
  const numbers = [...eventsFound.keys()].sort((one, other) => other - one);
  if (hasEarlier || numbers.length <= mostKeptEvents) return drawHours();
  for (const number of numbers.slice(mostKeptEvents)) eventsFound.delete(number);
  nextEvents = numbers[mostKeptEvents - 1];
  drawHours();
}

/// Whether this device may ask for the undo of an event; the core says why it cannot.
const canUndo = event => board.me && (event.undoable || maySetUp()) && !["armed", "undone", "created", "removed"].includes(event.kind);
const plus = (sum, text) => Number((sum + Number(text)).toPrecision(12));
const signedNumber = sum => (sum > 0 ? "+" : "") + number(String(sum));

/// The heading of an event: its hour, or its day alone where it has no time.
const hourOf = event => new Date(new Date(event.time / 1000).setMinutes(0, 0, 0)).toLocaleString([],
  { weekday: "short", day: "numeric", month: "short", ...!isOfDay(event) && { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } });

/// Draws the events, and gives the keyboard back to the button that had it; or, where that is gone, to the field above.
function drawHours() {
  const { activeElement } = document, isInside = eventList.contains(activeElement);
  drawLines();
  if (!isInside || activeElement.checkVisibility()) return;
  const made = byId(activeElement.id || " ");
  // What was undone can still have a note.
  (made?.hidden ? made.previousSibling : made ?? filter).focus({ preventScroll: true });
}

function drawLines() {
  const events = [...eventsFound.values()].sort((one, other) => other.time - one.time || other.sequence - one.sequence), words = filter.value.trim();
  const bySequence = events.toSorted(newestFirst), hours = new Map();
  const undone = undoneAmong(bySequence, new Set([...undoneHere, ...events.filter(one => one.undone).map(one => one.sequence)]));
  for (const event of events) {
    if (!hasWords([what(event), subjectOf(event), who(event), event.note].join(" "), words)) continue;
    const hour = hourOf(event);
    if (!hours.has(hour)) hours.set(hour, new Map());
    const doors = hours.get(hour), door = subjectOf(event);
    if (!doors.has(door)) doors.set(door, { sum: 0, lines: [] });
    const found = doors.get(door), isUndone = undone.has(event.sequence);
    if (!isUndone && ["added", "subtracted", "learned"].includes(event.kind)) found.sum = plus(found.sum, event.change);
    found.lines.push(eventLine(event, isUndone));
  }
  // There may be more events of the hour of the first one.
  const first = events.reduce((one, other) => one && one.sequence < other.sequence ? one : other, null), rest = nextEvents === null || !first ? null : hourOf(first);
  const isAlone = listed.counter && !listed.counter.includes(",");
  hourList.replaceChildren(...[...hours].flatMap(([hour, doors]) => {
    const sumOf = ({ sum }) => element("b", {}, hour === rest || Number.isNaN(sum) || !sum ? "" : signedNumber(sum)), listOf = ({ lines }) => element("ol", { class: "last" }, ...lines);
    const [[, first]] = doors;
    if (isAlone) return [element("h3", {}, element("span", {}, hour), sumOf(first)), listOf(first)];
    return [element("h3", {}, hour), ...[...doors].flatMap(([door, found]) => [element("p", { class: "door" }, element("span", { dir: "auto" }, door), sumOf(found)), listOf(found)])];
  }));
  if (!hours.size) hourList.replaceChildren(element("p", { class: "soft" }, words ? "No event with these words." : "No events."));
  older.hidden = nextEvents === null;
}

function eventLine(event, isUndone) {
  const words = what(event), undoing = signed("undo", wholeUndo(event, subjectOf(event), [...eventsFound.values()]), async () => {
    if (!await undo(event.sequence)) return;
    undoneHere.add(event.sequence);
    drawHours();
  });
  undoing.hidden = isUndone || !canUndo(event);
  undoing.id = `undo ${event.sequence}`;
  const noting = signed("pen", `Note at ${words} ${subjectOf(event)}`, () => openLater("writeNote", event, drawHours), { id: `note ${event.sequence}`, hidden: !board.me });
  return element("li", { class: isUndone ? "undone" : "" }, element("b", { class: words.length > 8 ? "long" : "" }, words),
    element("span", {}, ...event.note ? [element("em", { dir: "auto" }, event.note)] : [], element("small", {}, isOfDay(event) ? event.device : `${time(event.time)} · ${who(event)}`)), noting, undoing);
}
