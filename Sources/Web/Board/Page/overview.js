// All counters, in their groups: sums, shares, and several of them as a message.

import { address, animate, button, byId, element, main } from "./elements.js";
import { colour } from "./colours.js";
import { used } from "./help.js";
import { isUnknown, makeCounter, maySetUp, noCounter } from "./setup.js";
import { board, inGroups, isOverview } from "./state.js";
import { detail, number, reading, units, value } from "./texts.js";

/// The rows on the page, by ID, and a text that changes with the layout.
let rows = new Map(), layout = "";
/// Says which stations of the fleet are missing.
const missing = element("p", { class: "full", role: "status" });
/// The IDs that are selected; null while rows lead to their counters.
let chosen = null;

export function drawAll() {
  const sections = inGroups(), next = JSON.stringify([chosen !== null, board.me, isUnknown(), sections.map(({ group, items }) =>
    [group, items.map(one => [one.id, one.name, one.title, one.icon, one.colour])])]);
  if (next !== layout) build(sections);
  layout = next;
  const words = board.state.missing ?? "";
  // A screen reader says each sentence once.
  if (missing.textContent !== words) missing.textContent = words;
  for (const { items, head, foot, counters } of sections.map(withSums)) {
    for (const item of items) {
      const row = rows.get(item.id);
      row.value.textContent = item.formula ? number(item.text) : value(item);
      row.detail.textContent = [item.share, detail(item)].filter(Boolean).join(" · ");
    }
    const { sum, ends } = rows.get(items[0].id).section;
    sum.textContent = head;
    ends.textContent = foot;
    ends.hidden = counters.length < 2 || !foot;
  }
  shareBar();
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
    return { ...item, share: `${number(units((numbers[place] * 2000n + sum) / (2n * sum), 1))} %` };
  });
  const isEven = numbers.every(one => one === numbers[0]);
  return { ...section, items, counters, head: `${text} together`, foot: isEven ? "" : `highest ${extreme(1n).title}, lowest ${extreme(-1n).title}` };
}

function build(sections) {
  rows = new Map();
  const made = sections.map(({ group, items }) => {
    const title = group ? [group.icon, group.title].filter(Boolean).join(" ") : board.state.groups.length ? "Without a group" : "Counters";
    const section = { sum: element("span", { class: "sum" }), ends: element("p", { class: "ends" }) };
    const head = colour(group ?? {}, element("h2", {}, group && items.some(one => !one.formula)
      ? element("a", { href: address("group", group.name) }, title) : element("span", {}, title), section.sum));
    return element("section", {}, head, element("ul", {}, ...items.map(item => line(item, section))), section.ends);
  });
  if (!made.length) made.push(noCounter());
  const select = button(chosen ? "Done" : "Select", () => choose(!chosen), { class: "plain", hidden: !rows.size });
  const make = button("New counter", makeCounter, { class: "plain", hidden: !maySetUp() || !rows.size });
  main.replaceChildren(element("div", { class: "all" },
    element("div", { class: "top" }, element("h1", {}, "All counters"), make, select), missing, ...made, bar));
  select.id = "select";
}

function line(item, section) {
  const row = { section, value: element("span", { class: "value" }), detail: element("small") };
  rows.set(item.id, row);
  const parts = [element("i"), element("span", {}, item.icon ?? ""),
    element("span", { class: "name" }, item.title, row.detail), row.value];
  const box = element("input", { type: "checkbox", checked: chosen?.has(item.id) ?? false });
  box.onchange = () => { if (box.checked) chosen.add(item.id); else chosen.delete(item.id); shareBar(); };
  row.made = chosen ? element("label", { class: "row" }, parts[0], box, ...parts.slice(2))
    : element("a", { class: "row", href: address("counter", item.name), onclick: () => used("row") }, ...parts);
  return element("li", {}, colour(item, row.made));
}

/// Turns the selection of rows on or off.
function choose(isOn) {
  chosen = isOn ? new Set() : null;
  if (isOn) used("select");
  drawAll();
  byId("select")?.focus();
}

// ---- Sharing the selection

const said = element("span", { role: "status" });
const mail = element("a", { class: "button" }, "Mail");
const bar = element("div", { class: "bar", hidden: true }, said,
  ...navigator.share ? [button("Share", () => navigator.share({ text: message() }).catch(() => {}))] : [],
  button("Copy", copy), mail, button("CSV", save));

const selected = () => inGroups().flatMap(one => one.items).filter(one => chosen?.has(one.id));
/// The lines of `tally report`.
const message = () => selected().map(one => `${one.formula ? number(one.text) : value(one)} ${one.title}`).join("\n");

function shareBar() {
  const items = selected();
  bar.hidden = chosen === null;
  said.textContent = items.length ? `${items.length} selected` : "Select counters to share";
  for (const one of bar.children) if (one !== said) one.hidden = !items.length;
  mail.href = `mailto:?subject=${encodeURIComponent(items.map(one => one.title).slice(0, 3).join(", "))}&body=${encodeURIComponent(message())}`;
}

/// Without HTTPS a page can copy only selected text.
async function copy() {
  const text = message();
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", { value: text });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  said.textContent = "Copied";
}

/// Saves the selection in the columns of `tally export --csv`. A quote keeps spreadsheets from running a text as a formula.
function save() {
  const safe = text => /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  const quoted = text => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const records = selected().map(one => [one.name, one.title,
    one.stopwatch ? units(reading(one), 6) : one.text ?? "", one.stopwatch ? "s" : "", one.group ?? ""]);
  const lines = [["name", "title", "value", "unit", "group"], ...records].map(one => one.map(safe).map(quoted).join(","));
  const address = URL.createObjectURL(new Blob([lines.join("\r\n") + "\r\n"], { type: "text/csv" }));
  element("a", { href: address, download: "counts.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function mark(id) {
  const made = rows.get(id)?.made;
  if (made) animate(made, "tick");
}

setInterval(() => { if (isOverview && board.state?.counters.some(one => one.since)) drawAll(); }, 1000);
document.addEventListener("keydown", event => {
  if (event.key === "Escape" && chosen && !document.querySelector("dialog")) choose(false);
});
