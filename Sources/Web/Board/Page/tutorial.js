// The offer of a tutorial of one minute. Its steps are in a script that is loaded when it begins.

import { button, byId, main } from "./elements.js";
import { drawHints } from "./help.js";
import { openLater } from "./later.js";
import { board, isOverview, isPast, isWall, shown } from "./state.js";
import { store } from "./store.js";

/// The key of the number of the present step, which survives the reload after a first counter was made; and that of the
/// hints' use, which `?` deletes.
export const lessonKey = "tutorial", lessonUses = "used tutorial";

/// Whether a page may count here; a formula or a locked counter cannot be counted.
const canTeach = () => board.me && !isWall && !isOverview && !isPast && !shown()?.formula && !shown()?.locked;
export const isTeaching = () => Boolean(canTeach() && store.get(lessonKey));
export const mayOffer = () => canTeach() && !isTeaching() && !store.get(lessonUses);

/// The button that begins the tutorial.
export const teacher = () => button("Tutorial", event => {
  event.target.remove();
  store.set(lessonKey, "0");
  drawAgain();
});

/// Draws the page after a press of a button, and gives the keyboard back to the counter.
export function drawAgain() {
  main.focus();
  drawHints();
}

/// Draws the present step, or hides the one that was drawn.
export function drawTutorial() {
  if (isTeaching() || byId("tutorial")) openLater("drawLesson");
}
