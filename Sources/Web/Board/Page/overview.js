// All counters, or those of one group: as rows in their groups, or as tiles that fill the screen.

import { address, button, byId, chip, element, fill, gauge, main, put, root, setClass, signed } from "./elements.js";
import { colour } from "./colours.js";
import { isUnknown, noCounter, nothingCalled, openNew } from "./empty.js";
import { used } from "./help.js";
import { sign } from "./icons.js";
import { sectionsOf } from "./list.js";
import { openLater } from "./later.js";
import { beside, drawPager } from "./pager.js";
import { press } from "./queue.js";
import { change, setting } from "./settings.js";
import { board, everything, headed, inGroups, maySetUp, ownGroup, subject } from "./state.js";
import { store } from "./store.js";
import { go } from "./stream.js";
import { isOther, sumOf } from "./sums.js";
import { detail, hasWords, number, units, value } from "./texts.js";
import { light, looksOf, tiles } from "./tiles.js";

/// From so many counters on there is a field to search in, and groups can be folded.
const many = 12;

/// The rows and the sections on the page, and a text that changes with the layout.
let rows = new Map(), built = [], layout = "";
/// Says which stations of the fleet are missing.
const missing = element("p", { class: "full", role: "status" });
const search = element("input", { id: "search", type: "search", placeholder: "Search", ariaLabel: "Search", oninput: () => drawAll() });
const grid = tiles(item => {
  used("row");
  press(item, "tile");
});
/// The words that are searched for, where there is the field for them.
const sought = () => search.hidden ? "" : search.value.trim();
const isHere = one => subject === null || one.group === subject, isMany = () => board.state.counters.filter(isHere).length >= many;

/// The names of the groups that are folded on this device. No group has the name + or -.
const foldKey = "folded", folds = new Set(store.list(foldKey)), foldOf = ({ group, isTop }) => group?.name ?? (isTop ? "+" : "-");

/// The sections that this page shows: all, or the group in its address; of what is searched for, or without what is folded.
/// While rows are selected they stand in the core's order.
function shownSections() {
  const groups = inGroups().filter(one => subject === null || one.group?.name === subject), words = sought();
  const sections = isChoosing() ? sectionsOf(groups, false) : sectionsOf(groups);
  if (!words) return sections.map(one => ({ ...one, isFolded: isMany() && folds.has(foldOf(one)) }));
  return sections.map(one => ({ ...one, items: one.items.filter(item => hasWords(`${item.title} ${item.name}`, words)) })).filter(one => one.items.length);
}

const archived = () => everything().filter(one => one.archived && isHere(one));

/// What acts on selected rows, of a script that is loaded when a person first selects some.
let editor = null;
export function equip(found) { editor = found; }
export const isChoosing = () => Boolean(editor?.chosen);

export function drawAll() {
  if (editor?.isDragging()) return;
  const isTiled = setting("tiles") && !isChoosing();
  search.hidden = !isMany();
  const sections = shownSections(), own = ownGroup();
  colour(own ?? { colour: "grey" }, root);
  setClass("tiled", isTiled);
  const next = JSON.stringify([isTiled, isChoosing(), board.me, isUnknown(), own ?? subject, isMany(), sections.map(({ group, title, isFolded, items }) =>
    [group, title, isFolded, looksOf(items)]), archived().map(one => [one.name, one.title, one.icon, value(one)])]);
  if (next !== layout) build(sections, isTiled, own);
  layout = next;
  put(missing, board.state.missing ?? "");
  if (isTiled) grid.show(sections.flatMap(one => one.items));
  else sections.forEach((one, place) => drawSection(one, built[place]));
  editor?.drawBar();
}

/// Draws the rows again in the order that the core told.
export function drawAnew() {
  layout = "";
  drawAll();
}

function drawSection({ items, all, group, isTop, isFolded }, made) {
  if (!isOther(made, all)) return;
  const { sum, ends, share } = made, { head, foot, parts } = isTop ? {} : sumOf(all, group);
  put(sum, head ?? "");
  put(ends, foot ?? "");
  ends.hidden = !foot || isFolded;
  share.hidden = !parts;
  if (parts) share.replaceChildren(...all.filter(one => parts.get(one) > 0).map(one => {
    const bar = colour(one, element("i"));
    bar.style.flexGrow = parts.get(one);
    return bar;
  }));
  if (!isFolded) for (const item of items) showRow(item, subject !== null && parts?.has(item) ? `${number(units(BigInt(parts.get(item)), 1))} %` : "");
}

function showRow(item, share) {
  const row = rows.get(item.id), text = value(item);
  put(row.value, text);
  row.made.classList.toggle("long", text.length > 11);
  put(row.detail, [share, detail(item, subject === null)].filter(Boolean).join(" · "));
  fill(row.gauge, item);
  row.add.ariaLabel = `${item.title}: ${item.stopwatch ? "start or stop" : `add ${number(item.step)}`}`;
}

function build(sections, isTiled, own) {
  const focused = document.activeElement?.id;
  rows = new Map();
  built = [];
  const made = isTiled && sections.length ? [grid.made] : sections.map(buildSection);
  if (!made.length) made.push(sought() ? element("p", { class: "soft" }, "Nothing has these words.") : subject === null || own || isUnknown() ? noCounter() : nothingCalled("group", subject));
  const isEmpty = !sections.length && !sought();
  const words = isChoosing() ? "Done" : maySetUp() ? "Select, order, delete" : "Select";
  const select = signed(isChoosing() ? "close" : "check", words, () => openLater("selectRows", !isChoosing()), { id: "select", class: "icon act", hidden: isEmpty });
  const view = signed(setting("tiles") ? "rows" : "all", setting("tiles") ? "Rows" : "Tiles", () => change("tiles", setting("tiles") ? "off" : "on"), { class: "icon act", hidden: isEmpty || isChoosing() });
  const plus = signed("plus", "New counter", openNew, { class: "icon act new", hidden: !maySetUp() || isEmpty || isChoosing() });
  for (const old of document.querySelectorAll("nav .act")) old.remove();
  byId("past").before(plus, view, select);
  const title = own ? element("a", { href: address("group", subject) }, headed(own)) : subject ?? "Counters";
  byId("pager").before(element("h1", { class: "act", dir: "auto" }, title));
  // An input method loses its letters where the field leaves the page.
  if (!search.isConnected) main.replaceChildren(element("div", { class: "all" }, missing, search));
  while (search.nextSibling) search.nextSibling.remove();
  search.after(...isTiled ? made : [element("div", { class: "groups" }, ...made)], ...archive(), ...editor ? [editor.bars] : []);
  if (focused) byId(focused)?.focus();
  byId("edit").hidden = !own || !maySetUp();
  byId("edit").onclick = () => openLater("changeGroup", subject);
  drawPager("group", placeHere(places()), places().length, turnTo);
}

function buildSection(section, _, { length }) {
  const { group, title, isFolded, items } = section, name = foldOf(section);
  const made = { sum: element("span", { class: "sum" }), ends: element("p", { class: "ends" }), share: element("div", { class: "share", ariaHidden: "true" }) };
  built.push(made);
  const fold = isMany() && !sought() ? [signed("after", title, () => {
    if (isFolded) folds.delete(name); else folds.add(name);
    store.set(foldKey, JSON.stringify([...folds]));
    drawAll();
  }, { id: `fold ${name}`, ariaExpanded: String(!isFolded) })] : [];
  // The title of a group that is alone stands above already.
  const isAlone = subject !== null && length < 2;
  const words = !isAlone && group && items.some(one => !one.formula) ? element("a", { href: address("group", group.name) }, title) : element("span", { class: isAlone ? "unseen" : "" }, title);
  const list = element("ul", { class: "card" }, ...isFolded ? [] : items.map(line));
  list.hidden = Boolean(isFolded);
  return colour(group ?? { colour: "grey" }, element("section", {}, element("h2", {}, ...fold, words, made.sum), made.share, list, made.ends));
}

/// What was archived, folded: it keeps its counts, and comes back by a button.
function archive() {
  const items = archived();
  if (!items.length || sought() || isChoosing()) return [];
  const back = item => button("Bring back", () => openLater("bringBack", item), { ariaLabel: `Bring back ${item.title}` });
  return [element("details", {}, element("summary", {}, `Archived (${items.length})`), element("ul", { class: "card" }, ...items.map(item => colour(item, element("li", {},
    element("a", { class: "row", href: address("counter", item.name) }, chip(item), element("b", { class: "name", dir: "auto" }, item.title), element("span", { class: "value" }, value(item))),
    ...maySetUp() ? [back(item)] : [])))))];
}

/// All counters, and the groups that have some.
const places = () => [{ title: "All counters" }, ...inGroups().flatMap(one => one.group ?? [])];
const placeHere = all => Math.max(0, all.findIndex(one => one.name === subject));

/// The neighbouring group; null without groups.
export function groupBeside(by) {
  const all = places();
  return all.length < 2 ? null : beside(all, placeHere(all), by);
}

/// Shows the overview of the neighbouring group.
export function turnTo(by) {
  const next = groupBeside(by);
  if (next) go(next.name ? address("all", next.name) : "/all");
}

function line(item) {
  const row = { value: element("span", { class: "value" }), detail: element("small"), gauge: gauge() };
  rows.set(item.id, row);
  const parts = [chip(item), element("span", { class: "name" }, element("b", { dir: "auto" }, item.title), row.detail, row.gauge), row.value];
  row.made = isChoosing() ? element("label", { class: "row" }, editor.box(item), ...parts)
    : element("a", { class: "row", href: address("counter", item.name), onclick: () => used("row") }, ...parts);
  const mayCount = board.me && !item.formula && !item.locked && !isChoosing(), mayMove = isChoosing() && maySetUp() && !item.formula && !sought();
  const add = button(sign(item.stopwatch ? "play" : "plus"), () => press(item, "tile"), { class: "add round" });
  const made = colour(item, element("li", {}, row.made, ...mayCount ? [add] : mayMove ? [editor.grip(item)] : []));
  row.add = add;
  Object.assign(made.dataset, { name: item.name, title: item.title });
  return made;
}

/// Lights the row or tile of a counter.
export const markRow = id => light(setting("tiles") ? grid.tile(id) : rows.get(id)?.made.parentNode);
