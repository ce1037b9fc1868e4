// The last events, and the undo of this device's own change or of any.

import { announce, button, element, hide, put } from "./elements.js";
import { sign } from "./icons.js";
import { refuse, tooOld } from "./notices.js";
import { ask, undo, waitingFor } from "./queue.js";
import { board, isWall, maySetUp, newestFirst, shown } from "./state.js";
import { ago, subjectOf, undoName, what, who } from "./texts.js";

/// Completes the numbers of undone events by the undos and redos among `events`, which are in the order of their numbers, newest first.
export function undoneAmong(events, undone) {
  for (const { sequence, undoes } of events) {
    if (undone.has(sequence)) undone.delete(undoes);
    else if (undoes) undone.add(undoes);
  }
  return undone;
}
const undoneEvents = () => undoneAmong(board.state.events, new Set());

/// Whether this device may undo an event by its number. The core says why it cannot, as of a step that counts followed.
const mayUndo = event => event.undoable || event.settings && maySetUp();

/// The events that this page has asked to undo.
const asked = new Set();

/// The changes by this device and those by others that are not undone, newest first.
let own = [], others = [];
const mostKept = 100;

/// Whether this device made a change, from a page of any origin.
export const isOwn = event => `${event.producer}/`.startsWith(`tally-board/${board.me?.id}/`);

export function rememberEvents(events = board.state.events) {
  const undone = undoneEvents();
  // An event that was redone can be undone again.
  for (const { sequence, undoes } of board.state.events) if (undone.has(sequence)) asked.delete(undoes);
  const known = new Map([...own, ...others, ...events].map(one => [one.sequence, one]));
  const standing = [...known.values()].filter(one => !one.undone && !undone.has(one.sequence)).sort(newestFirst);
  own = standing.filter(isOwn).slice(0, mostKept);
  others = standing.filter(one => !isOwn(one)).slice(0, mostKept);
}

/// The change of a counter that the button takes back: the last one of this device, else the last one that is known.
function toUndo(item = shown()) {
  const isOpen = one => one.id === item?.id && one.kind !== "noted" && mayUndo(one) && !asked.has(one.sequence);
  return own.find(isOpen) ?? others.find(isOpen);
}

/// Asks the history for changes of a counter; returns whether it answered.
async function askHistory({ name }, isQuiet) {
  const { body } = await ask(`/history?${new URLSearchParams({ counter: name })}`);
  if (!body.events) return isQuiet ? false : refuse(body.message);
  rememberEvents(body.events);
  announce("undoable");
  return true;
}

/// For how long an event asks yet whether to reset, in milliseconds.
export const armedFor = event => event.kind === "armed" ? event.until / 1000 - (Date.now() + board.ahead) : -Infinity;

let recalled = null;

/// The last event of a counter, but for a question that has lapsed. Where none is among the last ones, the history is asked once.
export function lastOf(item) {
  const isOf = one => one.id === item.id && (one.kind !== "armed" || armedFor(one) > 0), [event] = [board.state.events, own, others].flatMap(all => all.find(isOf) ?? []).sort(newestFirst);
  if (!event && !item.formula && !isWall && recalled !== item.id) askHistory(item, true);
  recalled = item.id;
  return event;
}

/// Undoes it by its number, so that a later change of somebody else stays.
export async function undoLast() {
  const item = shown(), known = toUndo();
  if (!board.me) return refuse(board.why);
  // While counts of this device are on their way, a change of others is not what a person means.
  if (board.oldness !== null || known && !isOwn(known) && waitingFor(item)) return refuse(tooOld);
  if (!known && !await askHistory(item)) return;
  const event = known ?? toUndo(item);
  if (!event) return refuse("Nothing of this counter can be undone.");
  // A press is on its way for a while: a change of others is named on the button before.
  if (!isOwn(event) && (offered !== wordsOf(event) || performance.now() - offeredAt < 1500)) return refuse("Undo takes back a change of somebody else now. Press again if you mean it.");
  asked.add(event.sequence);
  // The reason of a correction was written behind it, and goes first.
  const reason = event.kind === "corrected" && board.state.events.find(one => one.kind === "noted" && one.id === item.id && one.sequence > event.sequence && isOwn(one));
  if (reason) await undo(reason.sequence);
  if (await undo(event.sequence)) return;
  asked.delete(event.sequence);
  // Others may have undone it while this page was away.
  await askHistory(item);
}

/// The words of the button, and since when it has them.
let offered = null, offeredAt = 0;

/// What the button takes back, and whose that is if it is not this device's.
///
/// - Parameter isHidden: whether the button is not seen, so that it names nothing.
export function undoWords(isHidden) {
  const event = toUndo(), words = event ? wordsOf(event) : "Undo", now = isHidden ? null : words;
  if (offered !== now) [offered, offeredAt] = [now, performance.now()];
  return words;
}

const wordsOf = event => wholeUndo(event) + (isOwn(event) ? "" : ` (${event.device ?? event.producer})`);

/// What the undo of an event takes back: also what was changed together with it, of which it names at most two counters.
///
/// - Parameter subject: the counter of the event, where that is to be said.
export function wholeUndo(event, subject = "", known = [...own, ...others]) {
  const together = known.filter(one => event.batch && one.batch === event.batch), others = together.filter(one => one.id !== event.id && one.kind !== "renewed");
  const named = [...new Map(others.map(one => [one.id, ` and ${what(one)} ${subjectOf(one)}`])).values()].slice(0, 2);
  // The last one of them was told when all were known.
  const more = Math.max(...together.map(one => one.together)) - 1 - named.length;
  return [undoName(event), subject && ` ${subject}`, ...named, more > 0 ? ` and ${more} more` : ""].join("");
}

export const lastEvents = element("ol", { class: "last", ariaLabel: "Last events" });
let lines = new Map(), listedAt = -Infinity, listing = 0, isHeld = false;
lastEvents.onpointerdown = () => { isHeld = true; };
// The click comes a moment after the finger is up.
const release = () => { if (isHeld) [isHeld, listedAt] = [false, performance.now()]; };
addEventListener("pointerup", release);
addEventListener("pointercancel", release);

/// Draws the list. A line stays the same element, so that a finger or the keyboard on its button keeps it.
///
/// - Parameter redraw: draws it later.
export function drawEvents(redraw) {
  const { events, counters } = board.state, rest = listedAt + 1000 - performance.now();
  clearTimeout(listing);
  // What others do moves the buttons at most once a second, so that a finger finds its own. Under a finger nothing moves.
  if (lines.size && (isHeld || rest > 0 && events.length && !isOwn(events[0]))) {
    listing = setTimeout(redraw, Math.max(rest, 100));
    return;
  }
  listedAt = performance.now();
  const kept = new Map(), undone = undoneEvents(), ids = new Set();
  for (const event of events) {
    const line = lines.get(event.sequence) ?? lineOf(event);
    const isFree = event.settings || event.kind === "added" || event.kind === "subtracted";
    const isLast = !ids.has(event.id);
    ids.add(event.id);
    const counter = counters.find(one => one.id === event.id), isOpen = counter && !counter.locked;
    line.classList.toggle("undone", undone.has(event.sequence));
    // Other changes than counts and settings can be taken back while they are the last one.
    const undoing = line.lastChild, words = wholeUndo(event, subjectOf(event));
    if (undoing.title !== words) undoing.title = undoing.ariaLabel = words;
    hide(undoing, !(board.me && mayUndo(event) && (isFree || isLast) && isOpen) || undone.has(event.sequence));
    kept.set(event.sequence, line);
  }
  lines = kept;
  const made = [...lines.values()];
  made.forEach((line, index) => { if (lastEvents.children[index] !== line) lastEvents.insertBefore(line, lastEvents.children[index] ?? null); });
  while (lastEvents.children.length > made.length) lastEvents.lastChild.remove();
  tellTimes();
}

function lineOf(event) {
  const undoing = button(sign("undo"), () => undo(event.sequence));
  const when = element("time", {}, ago(event.time));
  const line = element("li", {}, element("b", { class: what(event).length > 8 ? "long" : "" }, what(event)),
    element("span", {}, element("em", { dir: "auto" }, subjectOf(event)), element("small", {}, when, ` · ${who(event)}`)), undoing);
  Object.assign(line, { when, at: event.time });
  return line;
}

/// Times are told from now, and go on.
function tellTimes() {
  for (const { when, at } of lines.values()) put(when, ago(at));
}
setInterval(tellTimes, 5000);
