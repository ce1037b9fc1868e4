// Counting from this page: each count is numbered, kept until the core has it, and counted once.

import { announce, byId, hide, setClass } from "./elements.js";
import { refuse, slipped, tooOld, withdraw } from "./notices.js";
import { board } from "./state.js";
import { store } from "./store.js";
import { become, connect, isConnected } from "./stream.js";

/// The prefix of the keys of counts that wait: one key each, so that two pages of this device do not overwrite each other.
const prefix = "tap ";
/// The most counts in a request, and in the next one.
const mostTaps = 10;
let size = mostTaps;
/// This page, for counts that may outlive it.
const pageID = Math.random().toString(36).slice(2);
/// The prefix of the keys of counts on the way, {keys, epoch, sequence}, and the key of this page's. They outlive the page.
const inFlight = "sent ", inFlightKey = inFlight + pageID;
let epoch = null, sequence = 0, isSending = false, later = 0;
const taps = () => store.keys(prefix);
/// The counts that were parsed, by key: a count never changes.
const parsed = new Map();

/// How long ago a count was made, in milliseconds. The clock of a device may be set meanwhile, which shows in its distance to the
/// board's. That of this page is never set, but may stand still while the device sleeps.
function ageOf({ at, madeBy, madeAtUptime, ahead }) {
  const age = Date.now() - at, uptime = madeBy === pageID ? performance.now() - madeAtUptime : age + board.ahead - ahead;
  return Math.max(0, Math.round(Math.abs(ahead - board.ahead) < 5000 ? Math.max(age, uptime) : uptime));
}

let tapsMade = 0;
/// - Parameters:
///   - item: the counter, whose name may be changed before the count is sent.
///   - quantity: the amount as text; undefined for the step.
///   - note: a note about the count.
export function make(verb, { id, title }, gesture, quantity, note) {
  if (!board.me) return refuse(board.why);
  // A reset changes the number that the page shows, so it never waits: somebody else may count before it arrives.
  if (verb === "reset" && board.oldness !== null) return refuse(tooOld);
  withdraw(slipped);
  tapsMade += 1;
  const order = `${String(Date.now()).padStart(15, "0")} ${String(tapsMade).padStart(6, "0")} ${Math.random().toString(36).slice(2)}`;
  store.set(prefix + order, JSON.stringify({ verb, id, title, gesture, quantity, note, at: Date.now(), madeBy: pageID, madeAtUptime: performance.now(), ahead: board.ahead }));
  showWaiting();
  deliver();
}

/// Counts by a press: the step, or the start or stop of a stopwatch.
export const press = (item, gesture) => make(item.stopwatch ? "toggle" : "add", item, gesture);

/// Sends the counts that wait, in their order. Only one page of the device sends: opening fences the others.
export async function deliver() {
  // Another page of the browser may have been paired since. Otherwise the answer is the reason, and deletes what waits.
  if (!board.me) return taps().length && await openEpoch() && connect();
  // Without a core the state that ends its absence comes first, which tells what others counted.
  if (isSending || !isConnected() || !board.state || board.state.absence) return;
  isSending = true;
  clearTimeout(later);
  try {
    // A device that slept, or whose clock was set, hears of the board's time in a new stream first.
    while (taps().length && (epoch !== null || await openEpoch()) && isConnected()) {
      if (!await sendTaps(taps().slice(0, size))) break;
    }
  } finally {
    isSending = false;
    showWaiting();
  }
  if (!taps().length) {
    lost = {};
    parsed.clear();
  } else if (board.me) later = setTimeout(deliver, 1000);
}

/// Opens a new epoch, which fences the other pages of the device. Of the counts that they or an earlier page had sent, those
/// that the core has counted are deleted; the core never counts the others under their old numbers.
async function openEpoch() {
  const { status, body } = await post("/open", {}), { lastEpoch, lastSequence } = body;
  if (status !== 200) {
    explain(status, body);
    return false;
  }
  // Gives the browser time to share the keys that another page wrote before it sent.
  await new Promise(resolve => setTimeout(resolve, 50));
  for (const key of store.keys(inFlight)) {
    const one = read(key), rest = [one?.keys ?? []].flat().filter((tap, index) => {
      if (one.epoch === lastEpoch && one.sequence + index <= lastSequence) store.delete(tap);
      return store.get(tap) !== null;
    });
    if (!rest.length) store.delete(key);
  }
  ({ epoch } = body);
  sequence = 0;
  return true;
}

/// What is stored; null for nothing, or for a malformed text of another program.
const read = key => { try { return JSON.parse(store.get(key)); } catch { return null; } };

/// Sends counts in one request; returns whether further ones can follow at once.
async function sendTaps(keys) {
  const found = [];
  for (const key of keys) {
    const tap = read(key);
    // Another page has sent it, or another program has written it.
    if (!tap?.id) { store.delete(key); continue; }
    const { verb, id, title, gesture, quantity, note } = tap, age = ageOf(tap), counter = board.state.counters.find(one => one.id === id)?.name;
    if (verb === "reset" && age > 10_000) {
      store.delete(key);
      refuse(tooOld);
    } else if (!counter) {
      // Another one may have its name.
      store.delete(key);
      lose(`${title} is deleted.`, 1);
    } else found.push({ key, tap: { verb, counter, gesture, quantity, note, age } });
  }
  if (!found.length) return true;
  const record = JSON.stringify({ keys: found.map(one => one.key), epoch, sequence: sequence + 1 });
  // A stored count without its record would be sent again by the next page, though the core has it.
  if (!store.set(inFlightKey, record)) for (const { key } of found) store.unkeep(key);
  const { status, body } = await post("/count", { epoch, sequence: sequence + 1, taps: found.map(one => one.tap) });
  if (status === 200 && body.counted) {
    // Those behind one that is refused are sent again.
    sequence += body.counted;
    size = mostTaps;
    whyWaiting = null;
    for (const one of found.slice(0, body.counted)) store.delete(one.key);
    // A note that is not written.
    if (body.message) refuse(body.message);
    return true;
  }
  switch (status) {
  case 400: case 413: case 422:
    // One of them is malformed, or they are too long together: each is to be sent by itself.
    if (status !== 422 && found.length > 1) {
      size = 1;
      return true;
    }
    // The core will never accept the first one.
    store.delete(found[0].key);
    lose(body.message, 1);
    epoch = null;
    return true;
  case 409:
    epoch = null;
    return true;
  default:
    // They may have been counted; the reply to open tells. Only too fast a page knows that they were not.
    if (status !== 429) epoch = null;
    explain(status, body);
    return false;
  }
}

/// Sends a request; without an answer the status is 0.
export async function ask(path, more) {
  const silence = { message: "The board does not answer." };
  try {
    const answer = await fetch(path, { ...more, signal: AbortSignal.timeout(10_000) }), isPlain = answer.headers.get("Content-Type")?.startsWith("text/plain");
    return { status: answer.status, body: await (isPlain ? answer.text().then(text => ({ message: text.trim() })) : answer.json()).catch(() => silence) };
  } catch {
    return { status: 0, body: silence };
  }
}

export const post = (path, body) =>
  ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/// The last sentence about why counts wait.
let whyWaiting = null;

/// Says once why counts wait. A device that may not count any more only watches from now on.
function explain(status, { error, message }) {
  if (["origins", "storage"].includes(error) && message !== whyWaiting) refuse(whyWaiting = message);
  if (status !== 403) return;
  // Another program between refuses without a reason.
  if (!error) return refuse("This device may not count.");
  become({ why: message });
  discard(message);
}

/// Deletes the counts of a device that may not count: they must not wait for the person who is paired next.
function discard(sentence) {
  const all = taps();
  if (!all.length) return;
  for (const key of all) store.delete(key);
  parsed.clear();
  showWaiting();
  lose(sentence, all.length);
}

/// The counts that were lost for one reason, since none waited.
let lost = {};
function lose(sentence, count) {
  lost = { sentence, count: count + (sentence === lost.sentence && lost.count) };
  refuse(`${sentence} Not recorded: ${lost.count} count${lost.count > 1 ? "s" : ""}.`);
}

/// What the counts of a counter that wait would change, in its unit.
export function waitingFor({ id, step = 1, stepDown = step }) {
  let sum = 0;
  for (const key of taps()) {
    if (!parsed.has(key)) parsed.set(key, read(key) ?? {});
    const { verb, id: own, quantity } = parsed.get(key);
    if (own === id) sum += { add: Number(quantity ?? step), subtract: -Number(quantity ?? stepDown) }[verb] ?? 0;
  }
  return sum;
}

const words = byId("waiting");
let appearing = 0;
/// Shows the number of counts that have waited for 150 ms; a count that is recorded sooner shows no such sign.
export function showWaiting() {
  const [first, ...others] = taps(), count = first === undefined ? 0 : 1 + others.length;
  const young = 150 - (Date.now() - Number(first?.slice(prefix.length, prefix.length + 15)));
  clearTimeout(appearing);
  if (young > 0) appearing = setTimeout(showWaiting, young);
  announce("waiting");
  if (young > 0 && words.hidden) return;
  setClass("sending", count > 0);
  hide(words, count === 0);
  words.textContent = count ? `${count} not yet recorded${[first, ...others].some(store.isUnkept) ? ". Keep this page open" : ""}` : "";
}

/// Undoes one event; returns whether it did. A second request for the same event has no effect.
export async function undo(sequence) {
  if (board.oldness !== null) return refuse(tooOld);
  const { status, body } = await post("/undo", { sequence });
  if (status !== 200) refuse(body.message);
  return status === 200;
}
