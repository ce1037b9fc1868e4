// All counters, or those of one group: as rows in their groups, or as tiles that fill the screen.

import { address, button, byId, chip, element, fill, gauge, main, root, signed } from "./elements.js";
import { colour } from "./colours.js";
import { isUnknown, noCounter, openNew } from "./empty.js";
import { used } from "./help.js";
import { sign } from "./icons.js";
import { drawPager } from "./pager.js";
import { change, setting } from "./settings.js";
import { isChoosing, choose, isChosen, chooseOne, shareBar, sharing } from "./sharing.js";
import { board, headed, inGroups, isOverview, maySetUp, subject } from "./state.js";
import { detail, number, reading, units, value } from "./texts.js";
import { light, pressTile, tiles } from "./tiles.js";

/// From so many counters on there is a field to search in.
const many = 12;

/// The rows on the page, by ID, and a text that changes with the layout.
let rows = new Map(), layout = "";
/// Says which stations of the fleet are missing.
const missing = element("p", { class: "full", role: "status" });
const search = element("input", { type: "search", placeholder: "Search", ariaLabel: "Search", oninput: () => drawAll() });
const grid = tiles(item => pressTile(item));

/// The groups that this page shows: all, or the one in its address.
const shownGroups = () => {
  const groups = inGroups().filter(one => subject === null || one.group?.name === subject), words = search.value.trim().toLocaleLowerCase();
  if (!words) return groups;
  return groups.map(one => ({ ...one, items: one.items.filter(item => `${item.title} ${item.name}`.toLocaleLowerCase().includes(words)) })).filter(one => one.items.length);
};

export function drawAll() {
  const sections = shownGroups(), isTiled = setting("tiles") && !isChoosing(), own = board.state.groups.find(one => one.name === subject);
  colour(own ?? { colour: "grey" }, root);
  root.classList.toggle("tiled", isTiled);
  const next = JSON.stringify([isTiled, isChoosing(), board.me, isUnknown(), subject, sections.map(({ group, items }) =>
    [group, items.map(one => [one.id, one.name, one.title, one.icon, one.colour, one.locked])])]);
  if (next !== layout) build(sections, isTiled, own);
  layout = next;
  const words = board.state.missing ?? "";
  // A screen reader says each sentence once.
  if (missing.textContent !== words) missing.textContent = words;
  if (isTiled) grid.show(sections.flatMap(one => one.items));
  else for (const { items, head, foot, counters } of sections.map(withSums)) {
    for (const item of items) showRow(item);
    const { sum, ends, share } = rows.get(items[0].id).section;
    sum.textContent = head;
    ends.textContent = foot;
    ends.hidden = counters.length < 2 || !foot;
    share.hidden = !items.some(one => one.share);
    if (!share.hidden) share.replaceChildren(...items.filter(one => one.part > 0).map(one => {
      const bar = colour(one, element("i"));
      bar.style.flexGrow = one.part;
      return bar;
    }));
  }
  sharing(sections.flatMap(one => one.items));
}

function showRow(item) {
  const row = rows.get(item.id), text = value(item);
  row.value.textContent = text;
  row.made.classList.toggle("long", text.length > 11);
  row.detail.textContent = [item.share, detail(item)].filter(Boolean).join(" · ");
  fill(row.gauge, item);
}

/// Sums, shares, the highest and the lowest, as `tally group` has them: never of stopwatches with other counters, and no
/// shares where one is negative. Counters without a group have nothing in common but, at most, their decimals.
function withSums(section) {
  const counters = section.items.filter(one => !one.formula), times = counters.filter(one => one.stopwatch);
  const isUnlike = !section.group && counters.some(one => one.decimals !== counters[0].decimals);
  if (counters.length < 2 || isUnlike || (times.length && times.length < counters.length)) return { ...section, counters, head: "", foot: "" };
  const decimals = Math.max(...counters.map(one => one.decimals ?? 0));
  const numbers = counters.map(one => one.stopwatch ? reading(one) : BigInt(one.value) * 10n ** BigInt(decimals - (one.decimals ?? 0)));
  const sum = numbers.reduce((one, other) => one + other, 0n);
  const text = times.length ? value({ stopwatch: true, elapsed: sum }) : number(units(sum, decimals));
  const extreme = sign => counters[numbers.reduce((best, one, index) => (one - numbers[best]) * sign > 0n ? index : best, 0)];
  const items = section.items.map(item => {
    const place = counters.indexOf(item);
    if (place < 0 || sum <= 0n || numbers.some(one => one < 0n)) return item;
    const share = (numbers[place] * 2000n + sum) / (2n * sum);
    return { ...item, part: Number(share), share: `${number(units(share, 1))} %` };
  });
  const isEven = numbers.every(one => one === numbers[0]);
  return { ...section, items, counters, head: `${text} together`, foot: isEven ? "" : `highest ${extreme(1n).title}, lowest ${extreme(-1n).title}` };
}

function build(sections, isTiled, own) {
  rows = new Map();
  const made = isTiled && sections.length ? [grid.made] : sections.map(({ group, items }) => {
    const title = headed(group);
    const section = { sum: element("span", { class: "sum" }), ends: element("p", { class: "ends" }), share: element("div", { class: "share", ariaHidden: "true" }) };
    const head = element("h2", {}, group && items.some(one => !one.formula)
      ? element("a", { href: address("group", group.name) }, title) : element("span", {}, title), section.sum);
    return colour(group ?? { colour: "grey" }, element("section", {}, head, section.share, element("ul", { class: "card" }, ...items.map(item => line(item, section))), section.ends));
  });
  if (!made.length) made.push(search.value ? element("p", { class: "soft" }, "Nothing has these words.") : noCounter());
  const isEmpty = !sections.length && !search.value;
  const select = signed(isChoosing() ? "close" : "check", isChoosing() ? "Done" : "Select", () => turn(!isChoosing()), { hidden: isEmpty });
  const view = signed(setting("tiles") ? "rows" : "all", setting("tiles") ? "Rows" : "Tiles", () => change("tiles", setting("tiles") ? "off" : "on"), { hidden: isEmpty || isChoosing() });
  const plus = signed("plus", "New counter", openNew, { hidden: !maySetUp() || isEmpty });
  search.hidden = isTiled || board.state.counters.length < many;
  const isSearching = document.activeElement === search;
  for (const old of document.querySelectorAll("nav .act")) old.remove();
  byId("past").before(plus, view, select);
  main.replaceChildren(element("div", { class: "all" },
    element("div", { class: "top" }, element("h1", { dir: "auto" }, own ? [own.icon, own.title].filter(Boolean).join(" ") : "Counters")), missing, search,
    ...isTiled ? made : [element("div", { class: "groups" }, ...made)], shareBar));
  for (const one of [plus, view, select]) one.classList.add("act");
  select.id = "select";
  if (isSearching) search.focus();
  drawPager("group", places().at, places().all.length, turnTo);
}

/// All counters, and the groups that have some; null stands for all.
export function places() {
  const names = inGroups().flatMap(one => one.group ? [one.group.name] : []);
  return { all: names.length ? [null, ...names] : [null], at: names.indexOf(subject) + 1 };
}

/// Shows the overview of the neighbouring group.
export function turnTo(by) {
  const { all, at } = places(), place = all[(at + by + all.length) % all.length];
  if (all.length > 1) location.assign(place === null ? "/all" : address("all", place));
}

function line(item, section) {
  const row = { section, value: element("span", { class: "value" }), detail: element("small"), gauge: gauge() };
  rows.set(item.id, row);
  const parts = [chip(item), element("span", { class: "name" }, element("b", { dir: "auto" }, item.title), row.detail, row.gauge), row.value];
  const box = element("input", { type: "checkbox", checked: isChosen(item.id) });
  box.onchange = () => chooseOne(item.id, box.checked, shownGroups().flatMap(one => one.items));
  row.made = isChoosing() ? element("label", { class: "row" }, box, ...parts)
    : element("a", { class: "row", href: address("counter", item.name), onclick: () => used("row") }, ...parts);
  const mayCount = board.me && !item.formula && !item.locked && !isChoosing();
  const add = button("", () => pressTile(item), { class: "add round", ariaLabel: item.stopwatch ? `${item.title}: start or stop` : `${item.title}: add ${number(item.step)}` });
  add.append(sign(item.stopwatch ? "play" : "plus"));
  return colour(item, element("li", {}, row.made, ...mayCount ? [add] : []));
}

/// Turns the selection of rows on or off.
function turn(isOn) {
  choose(isOn);
  if (isOn) used("select");
  drawAll();
  byId("select")?.focus();
}

/// Lights the row or tile of a counter.
export const markRow = id => light(setting("tiles") ? grid.tile(id) : rows.get(id)?.made.parentNode);

setInterval(() => { if (isOverview && board.state?.counters.some(one => one.since)) drawAll(); }, 1000);
document.addEventListener("keydown", event => {
  if (event.key === "Escape" && isChoosing() && !document.querySelector("dialog")) turn(false);
});
