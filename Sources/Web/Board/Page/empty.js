// The page without a counter: the next step, or why no counter is known.

import { colour } from "./colours.js";
import { button, element } from "./elements.js";
import { openLater } from "./later.js";
import { fiveMarks } from "./marks.js";
import { board, isWall, maySetUp } from "./state.js";
import { mayOffer, teacher } from "./tutorial.js";

/// Opens the sheet that makes a counter.
export const openNew = () => openLater("makeCounter");

/// Whether this page has not heard yet of any counter: the board was started without a core.
export const isUnknown = () => Boolean(board.state.absence) && !board.state.counters.length;

/// - Parameter kind: "counter" or "group".
export const nothingCalled = (kind, name) =>
  element("div", { class: "empty" }, element("h1", {}, `There is no ${kind} called “${name}”`), ...isWall ? [] : [element("a", { href: "/all" }, "All counters")]);

/// The next step where there is no counter, or why none is known.
export function noCounter() {
  if (isUnknown()) return element("div", { class: "empty" }, element("h1", {}, "The counts are not known yet"), element("p", { textContent: board.oldness }));
  const paragraph = (...parts) => element("p", {}, ...parts);
  const next = maySetUp() ? [paragraph("People at a door, pieces on a line, goals in a match: name it and tap."), paragraph(button("New counter", openNew, { class: "filled" }))]
    : [paragraph("Make the first counter on the machine. It appears here by itself."), paragraph(element("code", {}, "tally new people")), paragraph(board.me ? "" : board.why)];
  return element("div", { class: "empty" }, colour({ colour: "blue" }, fiveMarks()), element("h1", {}, "Nothing to count yet"), ...next, ...mayOffer() ? [teacher()] : []);
}
