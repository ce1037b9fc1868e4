// Acting on rows of the overview while they are selected: sharing, pinning and deleting; a handle moves a counter, a swipe
// deletes it. The core keeps the order.

import { button, byId, element, listen, put, root, signed } from "./elements.js";
import { used } from "./help.js";
import { isPinned, pin } from "./list.js";
import { drawAll, drawAnew, equip, isChoosing } from "./overview.js";
import { refuse } from "./notices.js";
import { shareBar, sharing } from "./sharing.js";
import { postPatiently, undoing } from "./sheets.js";
import { inGroups, maySetUp } from "./state.js";

/// Says what was changed, with a button that undoes it.
const edited = element("p", { class: "bar", role: "status", hidden: true });

/// Sends changes of counters, one after the other, and offers to undo those that were made.
async function edit(orders, words) {
  const made = [];
  for (const order of orders) {
    const { status, body } = await postPatiently("/setup", order);
    if (status !== 200) {
      refuse(body.message);
      // The row returns to its place.
      drawAnew();
      break;
    }
    made.push(body.sequence);
  }
  if (!made.length) return;
  edited.hidden = false;
  edited.replaceChildren(element("span", {}, words), undoing(words, made, refusal => refusal ? refuse(refusal) : put(edited, "Undone.")));
}

const remove = items => edit(items.map(one => ({ do: "remove", name: one.name })), `Deleted: ${items.map(one => one.title).join(", ")}.`);

/// The counters and formulas that are selected, whether they are shown or not.
const selected = () => inGroups().flatMap(one => one.items).filter(one => rowEditor.chosen.has(one.id));

function box(item) {
  const { chosen } = rowEditor;
  const made = element("input", { type: "checkbox", checked: chosen.has(item.id), onchange: () => {
    if (made.checked) chosen.add(item.id); else chosen.delete(item.id);
    drawBar();
  } });
  return made;
}

const pinning = button("", () => {
  pin(selected(), !selected().every(isPinned));
  selectRows(false);
});
const deleting = button("Delete", () => remove(selected()));

function drawBar() {
  sharing(isChoosing() ? selected() : null);
  pinning.textContent = isChoosing() && selected().every(isPinned) ? "Unpin" : "Pin to the top";
}

/// The row that is being dragged: its list item, its pointer, where the pointer is, and where it was on the row.
let drag = null;
const isDragging = () => drag !== null;

/// The handle of a row, for a finger, the mouse and the keyboard.
function grip(item) {
  const step = way => edit([{ do: way, name: item.name }], `${item.title} moved ${way}.`);
  const made = signed("rows", `Move ${item.title} by the keys ↑ and ↓`, event => { if (event.detail === 0) step("up"); }, { id: `grip ${item.id}`, class: "icon grip" });
  made.onkeydown = event => {
    const way = { ArrowUp: "up", ArrowDown: "down" }[event.key];
    if (!way) return;
    event.preventDefault();
    if (!event.repeat) step(way);
  };
  made.onpointerdown = event => {
    if (event.button > 0 || drag) return;
    const row = made.closest("li"), { clientX: x, clientY: y, pointerId } = event;
    drag = { item, row, pointerId, x, y, held: y - row.getBoundingClientRect().top, shift: 0, before: row.previousElementSibling, card: row.parentNode };
    // The row itself leaves the page for a moment when it changes its place.
    root.setPointerCapture(pointerId);
    row.classList.add("dragged");
    requestAnimationFrame(scrollAtEdges);
  };
  return made;
}

/// Carries the row with the pointer. It changes places with another one when its middle passes the middle of that one.
function carry() {
  const { row, x, y, held } = drag, isIn = ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom;
  const middle = y - held + row.offsetHeight / 2, cards = [...document.querySelectorAll(".groups section .card")];
  const card = cards.find(one => isIn(one.getBoundingClientRect())) ?? row.parentNode;
  const others = [...card.children].filter(one => one !== row && one.querySelector(".grip")), isBelow = one => { const box = one.getBoundingClientRect(); return box.top + box.height / 2 > middle; };
  const next = others.find(isBelow), last = others.at(-1);
  if (next && next.previousElementSibling !== row) next.before(row);
  else if (!next && last && last.nextElementSibling !== row) last.after(row);
  drag.shift = y - held - (row.getBoundingClientRect().top - drag.shift);
  row.style.translate = `0 ${drag.shift}px`;
}

/// Scrolls while the row is held at the upper or lower end of the window.
function scrollAtEdges() {
  if (!drag) return;
  const by = drag.y < 70 ? -8 : drag.y > innerHeight - 90 ? 8 : 0;
  if (by) {
    scrollBy(0, by);
    carry();
  }
  requestAnimationFrame(scrollAtEdges);
}

/// - Parameter isKept: whether the row stays where it is now.
function drop(isKept) {
  const { item, row, before, card } = drag, [over, under] = [row.previousElementSibling, row.nextElementSibling];
  drag = null;
  row.classList.remove("dragged");
  row.style.translate = "";
  if (!isKept || over === before && row.parentNode === card) return drawAnew();
  const name = item.name, order = over ? { do: "after", name, text: over.dataset.name } : { do: "before", name, text: under.dataset.name };
  edit([order], `${item.title} moved.`);
}

/// A finger that swipes a row away.
let wipe = null;
function endWipe() {
  if (!wipe) return;
  wipe.row.style.translate = "";
  wipe.row.parentNode?.classList.remove("wiped", "goes");
  wipe = null;
}

listen("pointerdown", ({ target, pointerType, isPrimary, clientX: x, clientY: y }) => {
  endWipe();
  const row = target.closest("label.row");
  if (row && isPrimary && pointerType === "touch" && maySetUp()) wipe = { row, x, y, width: row.offsetWidth, isMoving: false };
});
listen("pointermove", ({ pointerId, clientX, clientY, isPrimary }) => {
  if (pointerId === drag?.pointerId) {
    Object.assign(drag, { x: clientX, y: clientY });
    carry();
  }
  if (!wipe || !isPrimary) return;
  const by = Math.min(0, clientX - wipe.x);
  wipe.isMoving ||= by < -12 && -by > 2 * Math.abs(clientY - wipe.y);
  if (!wipe.isMoving) return;
  wipe.row.style.translate = `${by}px`;
  wipe.row.parentNode.classList.add("wiped");
  wipe.row.parentNode.classList.toggle("goes", wipe.goes = -by > wipe.width / 3);
});
listen("pointerup", ({ pointerId, isPrimary }) => {
  if (pointerId === drag?.pointerId) drop(true);
  if (!isPrimary) return;
  const gone = wipe?.goes ? wipe.row.parentNode.dataset : null;
  endWipe();
  if (gone) remove([gone]);
});
listen("pointercancel", ({ pointerId }) => {
  if (pointerId === drag?.pointerId) drop(false);
  endWipe();
});
listen("keydown", event => {
  if (event.key !== "Escape") return;
  if (drag) drop(false); else if (isChoosing() && !document.querySelector("dialog")) selectRows(false);
});

/// What the overview needs of this script, and the IDs of the selected counters; null while rows lead to their counters.
const rowEditor = { chosen: null, box, bars: element("div", { class: "bars" }, edited, shareBar), drawBar, grip, isDragging };

/// Turns the selection of rows on or off.
export function selectRows(isOn) {
  equip(rowEditor);
  rowEditor.chosen = isOn ? new Set() : null;
  shareBar.append(pinning, ...maySetUp() ? [deleting] : []);
  if (isOn) used("select"); else edited.hidden = true;
  drawAll();
  byId("select")?.focus();
}

/// Brings a counter or a formula back from the archive.
export function bringBack(item) {
  equip(rowEditor);
  drawAnew();
  edit([{ do: "set", name: item.name, field: "archived", text: "no" }], `${item.title} is back.`);
}
