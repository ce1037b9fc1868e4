// Sentences for the person: why numbers are old, what was refused, and the value for screen readers.

import { animate, announce, byId, setClass } from "./elements.js";
import { board, everything } from "./state.js";
import { value } from "./texts.js";

const notice = byId("notice"), spoken = byId("spoken");

/// - Parameters:
///   - reason: why the numbers are old; null where they are live.
///   - until: when the last message came, by this page's clock.
export function setOld(reason, until) {
  if (reason === board.oldness) return;
  // A stopwatch stands still at its last true reading.
  board.until = reason === null ? null : board.until ?? until;
  board.oldness = reason;
  setClass("old", reason !== null);
  document.title = `${reason === null ? "" : "old: "}${document.title.replace(/^old: /, "")}`;
  if (reason === null) withdraw(tooOld);
  showNotice();
}

/// Why undo and reset are refused while the number is old.
export const tooOld = "The number is old. Undo and reset need the present one.";

/// Why a touch is not counted. A later one that is counted takes the sentence away.
export const slipped = "Not counted: the finger slipped, and it was no swipe.";

let refusal = "", refusing = 0;
function showNotice() {
  notice.textContent = refusal || (board.oldness ?? "");
  announce("noticed");
}

/// Takes a sentence away that does not hold any more.
export function withdraw(sentence) {
  if (refusal !== sentence) return;
  refusal = "";
  showNotice();
}

/// A sentence of the core with the titles of counters instead of their names.
export const titled = sentence => (sentence ?? "").replace(/“([^“”]+)”/g, (name, bare) => {
  const item = board.state?.counters.find(one => one.name === bare);
  return item ? `“${item.title}”` : name;
});

/// Says for some seconds why something is not done, and shakes the number.
export function refuse(sentence) {
  refusal = titled(sentence);
  showNotice();
  clearTimeout(refusing);
  refusing = setTimeout(() => {
    refusal = "";
    showNotice();
  }, 6000);
  const box = document.querySelector(".box");
  if (box) animate(box, "refused");
}

let saying = 0;
/// Tells a screen reader the value once counting rests, instead of each count.
export function say(id) {
  clearTimeout(saying);
  saying = setTimeout(() => { const item = everything().find(one => one.id === id); if (item) spoken.textContent = `${value(item)} ${item.title}`; }, 1200);
}
