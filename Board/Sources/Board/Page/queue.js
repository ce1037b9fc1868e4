// Counting from this page: each count is numbered, kept until the core has it, and counted once.

import { refuse } from "./notices.js";
import { board } from "./state.js";
import { store } from "./store.js";
import { become, isConnected } from "./stream.js";

/// The prefix of the keys of counts that wait: one key each, so that two pages of this device do not overwrite each other.
const prefix = "tap ";
/// The prefix of the keys of counts on the way, {key, epoch, sequence}, and the key of this page's. It outlives the page.
const sent = "sent ", ownSent = sent + Math.random().toString(36).slice(2);
let epoch = null, sequence = 0, isSending = false, later = 0;
const taps = () => store.keys(prefix);

let made = 0;
export function make(verb, counter, gesture) {
  if (!board.me) return refuse(unpaired);
  if (actsOnShown(verb) && board.oldness !== null) return refuse(tooOld);
  made += 1;
  const order = `${String(Date.now()).padStart(15, "0")} ${String(made).padStart(6, "0")} ${Math.random().toString(36).slice(2)}`;
  store.set(prefix + order, JSON.stringify({ verb, counter, gesture, at: Date.now() }));
  showWaiting();
  deliver();
}

/// Sends the counts that wait, one after the other. Only one page of the device sends: opening fences the others.
export async function deliver() {
  if (!board.me) return discard(unpaired);
  // Without a core the state that ends its absence comes first, which tells what others counted.
  if (isSending || !isConnected() || board.state?.absence) return;
  isSending = true;
  clearTimeout(later);
  try {
    for (;;) {
      if (!taps().length) break;
      if (epoch === null && !await open()) break;
      const [key] = taps();
      if (key === undefined) break;
      if (!await send(key)) break;
    }
  } finally {
    isSending = false;
    showWaiting();
  }
  if (taps().length && board.me) later = setTimeout(deliver, 1000);
}

/// Opens a new epoch, which fences the other pages of the device. Of the counts that they or an earlier page had sent, those
/// that the core has counted are deleted; the core never counts the others under their old numbers.
async function open() {
  const answer = await post("/open", {});
  if (answer?.status !== 200) {
    explain(answer);
    return false;
  }
  const { lastEpoch, lastSequence } = answer.body;
  // Gives the browser time to share the keys that another page wrote before it sent.
  await new Promise(resolve => setTimeout(resolve, 50));
  for (const key of store.keys(sent)) {
    const one = JSON.parse(store.get(key) ?? "null");
    if (one && one.epoch === lastEpoch && one.sequence <= lastSequence) store.delete(one.key);
    if (!one || store.get(one.key) === null) store.delete(key);
  }
  ({ epoch } = answer.body);
  sequence = 0;
  return true;
}

async function send(key) {
  const tap = JSON.parse(store.get(key) ?? "null");
  if (!tap) {
    store.delete(key);
    return true;
  }
  const { verb, counter, gesture } = tap, age = Math.max(0, Math.round(Date.now() - tap.at));
  if (actsOnShown(verb) && age > 10_000) {
    store.delete(key);
    refuse(tooOld);
    return true;
  }
  store.set(ownSent, JSON.stringify({ key, epoch, sequence: sequence + 1 }));
  const answer = await post("/count", { epoch, sequence: sequence + 1, verb, counter, gesture, age });
  switch (answer?.status) {
  case 200:
    sequence += 1;
    store.delete(key);
    return true;
  case 400: case 422:
    // The core will never accept it.
    store.delete(key);
    refuse(answer.body?.message ?? "The core refused this count.");
    epoch = null;
    return true;
  case 409:
    epoch = null;
    return true;
  default:
    // It may have been counted; the reply to open tells.
    epoch = null;
    explain(answer);
    return false;
  }
}

export async function post(path, body) {
  try {
    const answer = await fetch(path, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    return { status: answer.status, body: await answer.json().catch(() => null) };
  } catch {
    return null;
  }
}

/// A device that may not count any more only watches from now on.
function explain(answer) {
  if (answer?.status !== 403) return;
  // Another program between refuses without a reason.
  if (!answer.body?.error) return refuse("This device may not count.");
  become(null);
  discard(answer.body.message);
}

/// Deletes the counts of a device that may not count: they must not wait for the person who is paired next.
function discard(sentence) {
  const lost = taps();
  if (!lost.length) return;
  for (const key of lost) store.delete(key);
  showWaiting();
  refuse(`${sentence} Not recorded: ${counts(lost.length)}.`);
}

const counts = number => number === 1 ? "1 count" : `${number} counts`;

let appearing = 0;
/// Shows the number of counts that have waited for 150 ms; a count that is recorded sooner shows no such sign.
export function showWaiting() {
  const [first, ...others] = taps(), count = first === undefined ? 0 : 1 + others.length;
  const young = 150 - (Date.now() - Number(first?.slice(prefix.length, prefix.length + 15)));
  clearTimeout(appearing);
  if (young > 0) appearing = setTimeout(showWaiting, young);
  const words = document.getElementById("waiting");
  if (young > 0 && words.hidden) return;
  document.documentElement.classList.toggle("sending", count > 0);
  words.hidden = count === 0;
  words.textContent = count ? `${counts(count)} not yet recorded` : "";
}

/// Undoes one event; returns whether it did. A second request for the same event has no effect.
export async function undo(sequence) {
  if (board.oldness !== null) return refuse(tooOld);
  const answer = await post("/undo", { sequence }), isDone = answer?.status === 200;
  if (!isDone) refuse(answer?.body?.message ?? "The board does not answer. Nothing was taken back.");
  return isDone;
}

/// Undo and reset change what the page shows, so they never wait: somebody else may count before they arrive.
const actsOnShown = verb => verb === "undo" || verb === "reset";
const tooOld = "The number is old. Undo and reset need the present one.";

export const unpaired = "This device may only watch. To count with it, run on the machine: tally-board pair";
