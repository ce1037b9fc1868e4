// The place of a counter or a group among the others, with a button to each neighbour.

import { byId, element, hide, signed } from "./elements.js";
import { sectionsOf } from "./list.js";
import { inGroups, shown } from "./state.js";

/// More dots than this are not told apart.
const mostDots = 9;
const before = signed("before", "Previous counter"), after = signed("after", "Next counter"), dots = element("span", { ariaHidden: "true" });
byId("pager").append(before, dots, after);
byId("pager").hidden = true;

/// - Parameters:
///   - what: what is paged through, for those who hear it.
///   - next: shows the neighbour on a side.
export function drawPager(what, place, count, next) {
  hide(byId("pager"), count < 2);
  before.ariaLabel = before.title = `Previous ${what}`;
  after.ariaLabel = after.title = `Next ${what}`;
  before.onclick = () => next(-1);
  after.onclick = () => next(1);
  const text = `${count} ${place}`;
  if (dots.dataset.text === text) return;
  dots.dataset.text = text;
  dots.replaceChildren(...count > mostDots ? [element("small", {}, `${place + 1 || "–"} of ${count}`)] : Array.from({ length: count }, (_, index) => element("i", { class: index === place ? "on" : "" })));
}

/// The neighbour of the place `at` in a circle.
export const beside = (items, at, by) => items[(at + by + items.length) % items.length];

/// The counters and formulas that a swipe to a side goes through, in the order of the list.
export const pages = () => sectionsOf(inGroups()).flatMap(one => one.items);
/// The place of the one that is shown; −1 for one that is archived.
export const pageOf = items => items.findIndex(one => one.id === shown()?.id);
