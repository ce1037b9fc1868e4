// A tutorial of one minute. The person does its steps, and the core's events tell when one is done: all of it counts.

import { button, byId, element, hide, listen, main } from "./elements.js";
import { amounts, drawHints } from "./help.js";
import { setting } from "./settings.js";
import { board, isOverview, isPast, isWall, shown } from "./state.js";
import { store } from "./store.js";

/// The key of the number of the present step, which survives the reload after a first counter was made; and that of the
/// hints' use, which `?` deletes.
const lessonKey = "tutorial", hint = "used tutorial";
const stepSaid = element("span", { role: "status" }), leaving = button("", leave, { class: "plain" });
const strip = element("div", { id: "tutorial", hidden: true }, stepSaid, leaving);
byId("hints").before(strip);

/// The last event and the counter at the beginning of the present step.
let since = null, from = null;

/// Whether a page may count here; a formula or a locked counter cannot be counted.
const canTeach = () => board.me && !isWall && !isOverview && !isPast && !shown()?.formula && !shown()?.locked;
export const isTeaching = () => Boolean(canTeach() && store.get(lessonKey));
export const mayOffer = () => canTeach() && !isTeaching() && !store.get(hint);

/// The button that begins the tutorial.
export const teacher = () => button("Tutorial", event => {
  event.target.remove();
  goTo(0);
  drawAgain();
});

/// The steps: a sentence, and the kind of event that ends the step; without a kind another counter ends it.
function lessons(item) {
  const { up, down, hasKeys } = amounts(item), or = name => hasKeys ? ` or press ${name}` : "";
  const place = setting("halves") && !item.stopwatch ? "the right half" : "the number";
  const others = board.state.counters.filter(one => !one.archived).length > 1;
  return [
    ...item.stopwatch ? [[`Tap the number${or("space")}: it starts.`, "started"], [`Tap it again${or("space")}: it stops.`, "stopped"]]
      : [[`Tap ${place}${or("space")}: ${up}.`, "added"], [`Swipe down on it${or("−")}: ${down}.`, "subtracted"]],
    [`Press Undo${or("u")}: it takes the last change back.`, "undone"],
    ...others ? [[`Swipe to a side${or("→")}: another counter.`]] : [],
  ];
}

function goTo(step) {
  store.set(lessonKey, String(step));
  since = from = null;
}

function leave() {
  store.delete(lessonKey);
  store.set(hint, "3");
  drawAgain();
}

/// Draws the page after a press of a button, and gives the keyboard back to the counter.
function drawAgain() {
  main.focus();
  drawHints();
}

export function drawTutorial() {
  hide(strip, !isTeaching());
  if (strip.hidden) return;
  const item = shown(), { events, sequence } = board.state, step = Number(store.get(lessonKey)), all = item ? lessons(item) : [];
  since ??= Math.max(sequence, ...events.map(one => one.sequence));
  from ??= item?.id ?? null;
  const [words, kind] = all[step] ?? [];
  if (words && (kind ? events.some(one => one.sequence > since && one.kind === kind && one.device === board.me.name) : item.id !== from)) {
    goTo(step + 1);
    return drawTutorial();
  }
  const text = !item ? "The first step is a counter." : words ? `${step + 1} of ${all.length}: ${words}` : "Done. All of it was counted.";
  // A screen reader says each sentence once.
  if (stepSaid.textContent !== text) stepSaid.textContent = text;
  leaving.textContent = item && !words ? "Close" : "Leave";
}

listen("keydown", event => {
  if (event.key === "Escape" && !strip.hidden && !document.querySelector("dialog")) leave();
});
