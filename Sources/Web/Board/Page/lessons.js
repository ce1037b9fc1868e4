// The steps of the tutorial. The person does them, and the core's events tell when one is done: all of it counts.

import { button, byId, element, hide, listen, put } from "./elements.js";
import { amounts } from "./help.js";
import { setting } from "./settings.js";
import { board, shown } from "./state.js";
import { store } from "./store.js";
import { drawAgain, isTeaching, lessonKey, lessonUses } from "./tutorial.js";

const stepSaid = element("span", { role: "status" }), leaving = button("", leave, { class: "plain" });
const strip = element("div", { id: "tutorial", hidden: true }, stepSaid, leaving);
byId("hints").before(strip);

/// The last event and the counter at the beginning of the present step.
let since = null, from = null;

/// The steps: a sentence, and the kind of event that ends the step; without a kind another counter ends it.
function lessons(item) {
  const { up, down, hasKeys } = amounts(item), or = name => hasKeys ? ` or press ${name}` : "";
  const place = setting("halves") && !item.stopwatch ? "the right half" : "the number";
  const others = board.state.counters.filter(one => !one.archived).length > 1;
  return [
    ...item.stopwatch ? [[`Tap the number${or("space")}: it starts.`, "started"], [`Tap it again${or("space")}: it stops.`, "stopped"]]
      : [[`Tap ${place}${or("space")}: ${up}.`, "added"], [`Swipe down on it${or("↓")}: ${down}.`, "subtracted"]],
    [`Press Undo${setting("keys") ? or("u") : ""}: it takes the last change back.`, "undone"],
    ...others ? [[`Swipe to a side${or("→")}: another counter.`]] : [],
  ];
}

function leave() {
  store.delete(lessonKey);
  store.set(lessonUses, "3");
  since = from = null;
  drawAgain();
}

export function drawLesson() {
  hide(strip, !isTeaching());
  if (strip.hidden) return;
  const item = shown(), { events, sequence } = board.state, step = Number(store.get(lessonKey)), all = item ? lessons(item) : [];
  since ??= Math.max(sequence, ...events.map(one => one.sequence));
  from ??= item?.id ?? null;
  const [words, kind] = all[step] ?? [];
  if (words && (kind ? events.some(one => one.sequence > since && one.kind === kind && one.device === board.me.name) : item.id !== from)) {
    store.set(lessonKey, String(step + 1));
    since = from = null;
    return drawLesson();
  }
  const text = !item ? "The first step is a counter." : words ? `${step + 1} of ${all.length}: ${words}` : "Done. All of it was counted.";
  put(stepSaid, text);
  leaving.textContent = item && !words ? "Close" : "Leave";
}

listen("keydown", event => {
  if (event.key === "Escape" && !strip.hidden && !document.querySelector("dialog")) leave();
});
