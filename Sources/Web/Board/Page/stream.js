// The stream of states and changes from the board.

import { listen, root, setClass } from "./elements.js";
import { refuse, setOld } from "./notices.js";
import { board, followGroup, isWall, newestFirst } from "./state.js";
import { clock, time } from "./texts.js";

let heard = performance.now(), heardAt = Date.now();

/// A beat comes every 5 s; without one for this long the numbers are old.
const limit = 11_000;
/// How long the board has been silent, in milliseconds. While a device sleeps, the monotonic clock may stand still.
const silence = () => Math.max(performance.now() - heard, Date.now() - heardAt);

function take(message) {
  isSilent = false;
  heard = performance.now();
  heardAt = Date.now();
  if (message.now) board.ahead = message.now / 1000 - heardAt;
}

/// Goes to another page. While the board does not answer that would be the browser's error page, so this one stays.
export function go(path) {
  if (isSilent) refuse(`${board.oldness} Other pages open when the board answers again.`); else location.assign(path);
}
listen("click", event => {
  const link = event.target.closest("a[href^='/']:not([download])");
  if (!isSilent || !link || event.defaultPrevented) return;
  event.preventDefault();
  go(link.href);
});
// A reload, or a link of the browser's own. A page that is hidden may be closed.
addEventListener("beforeunload", event => { if (isSilent && !document.hidden) event.preventDefault(); });

let tell = null, source = null, wait = 500, connecting = 0, reconnecting = 0;

/// Whether there is a stream, which is not silent.
export const isConnected = () => source !== null && silence() < limit;

/// Whether the board does not answer. A page that was hidden, and asks again, does not know yet.
let isSilent = false;
const setNotLive = () => setOld(`Not live since ${clock(heardAt)}.`, heardAt);
const setAbsent = since => setOld(since ? `There is no core since ${time(since)}.` : null, since / 1000 - board.ahead);

/// - Parameter device: this one, with an ID where it is paired and may count, or with the reason `why` it may not.
export function become(device) {
  board.me = device.id ? device : null;
  board.why = device.why;
  setClass("counts", board.me !== null);
  if (board.state) tell.changed();
}

/// Follows the board from now on.
///
/// - Parameter listener: `changed(event)` runs after a state (without an event) and after each change, `returned(counters)`
///   with the counters from before an absence, and `heard()` after each message.
export function follow(listener) {
  tell = listener;
  connect();
}

export function connect() {
  clearTimeout(reconnecting);
  source?.close();
  const own = source = new EventSource("/events");
  connecting = setTimeout(() => fail(own), 5000);
  const on = (name, act) => own.addEventListener(name, event => {
    if (own !== source) return;
    clearTimeout(connecting);
    connecting = 0;
    const message = JSON.parse(event.data);
    take(message);
    act(message);
    if (name !== "bye") tell.heard();
  });
  on("state", message => {
    const build = root.dataset;
    build.build ??= message.build;
    // Another version of the page is there, and the board answers.
    if (build.build !== message.build) return location.reload();
    wait = 500;
    const before = board.oldness === null ? null : board.state?.counters;
    // A board that was started anew, and has not reached the core, knows no counters: the page keeps those it has.
    board.state = message.absence && !message.sequence && board.state ? { ...board.state, absence: message.absence } : message;
    setAbsent(message.absence);
    followGroup();
    tell.changed();
    if (before && !message.absence) tell.returned(before);
  });
  on("you", become);
  on("change", takeChange);
  on("fleet", message => {
    if (!board.state) return;
    board.state.missing = message.missing;
    tell.changed();
  });
  on("beat", () => { if (!board.state?.absence) setOld(null); });
  on("absence", message => {
    board.state.absence = message.since;
    setAbsent(message.since);
  });
  on("bye", () => fail(own));
  // A status other than 200 ends an EventSource for ever; a new one is made.
  own.onerror = () => fail(own);
}

function fail(own) {
  if (own !== source) return;
  disconnect();
  isSilent = true;
  reconnecting = setTimeout(connect, wait * (0.75 + Math.random() / 2));
  wait = Math.min(wait * 2, 10_000);
}

// A stream that is silent is dead, whatever the browser believes. One that was just made has its own time.
setInterval(() => {
  if (!tell || silence() < limit) return;
  setNotLive();
  if (source && !connecting) fail(source);
}, 250);

function disconnect() {
  source?.close();
  source = null;
  clearTimeout(reconnecting);
  clearTimeout(connecting);
  setNotLive();
}

// A hidden page of a phone gives its connection back; a wall is never hidden.
listen("visibilitychange", () => {
  if (!tell) return;
  if (document.hidden) { if (!isWall) disconnect(); } else if (!source) connect();
});
// A browser keeps a page that was left for a minute, and makes only six connections to a board.
addEventListener("pagehide", disconnect);

function takeChange(message) {
  const { state } = board;
  if (!state) return;
  const replace = (list, item) => {
    const place = list.findIndex(one => one.id === item.id);
    if (place >= 0) list[place] = item;
  };
  if (message.counter) replace(state.counters, message.counter);
  for (const formula of message.formulas ?? []) replace(state.formulas, formula);
  if (message.current !== undefined) state.current = message.current;
  const event = message.event;
  // Changes of two counters can arrive out of order, and a state can hold an event that a change repeats.
  const events = new Map([...state.events, ...(message.earlier ?? []), ...(event ? [event] : [])].map(one => [one.sequence, one]));
  state.events = [...events.values()].sort(newestFirst).slice(0, 5);
  tell.changed(event);
}
