// The place of a counter among the others, with a button to each neighbour.

import { byId, element, signed } from "./elements.js";
import { board, isWall, shown } from "./state.js";

/// More dots than this are not told apart.
const most = 9;
const before = signed("before", "Previous counter"), after = signed("after", "Next counter");

/// - Parameter next: shows the neighbour on a side.
export function drawPager(next) {
  const items = board.state.counters.filter(one => !one.archived), place = items.findIndex(one => one.id === shown()?.id);
  const pager = byId("pager"), text = `${items.length} ${place}`;
  before.onclick = () => next(-1);
  after.onclick = () => next(1);
  if (pager.dataset.text === text) return;
  pager.dataset.text = text;
  const isAlone = items.length < 2 && place >= 0 || !items.length || isWall;
  const dots = items.length > most ? [element("small", {}, `${place + 1} of ${items.length}`)] : items.map((_, index) => element("i", { class: index === place ? "on" : "" }));
  // The buttons stay the same elements, so that the keyboard stays on them.
  if (!before.parentNode) pager.append(before, element("span", { ariaHidden: "true" }), after);
  const between = before.nextSibling;
  between.replaceChildren(...dots);
  pager.hidden = isAlone;
}
