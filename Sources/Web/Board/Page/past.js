// The past of a counter, of several or of a group: bars, the same numbers as a table, and the events.

import { chart } from "./chart.js";
import { colour } from "./colours.js";
import { address, button, byId, chip, element, main, root, signed } from "./elements.js";
import { eventList, showHistory } from "./history.js";
import { sign } from "./icons.js";
import { openLater } from "./later.js";
import { ask } from "./queue.js";
import { board, ownGroup, subject, view } from "./state.js";
import { number } from "./texts.js";

const bins = { minute: "1 min", "5min": "5 min", "15min": "15 min", hour: "Hour", day: "Day", week: "Week", month: "Month", year: "Year" };
const hash = new URLSearchParams(location.hash.slice(1));
/// The board refuses more counters in one chart.
const mostBars = 20;
let by = Object.keys(bins).includes(hash.get("by")) ? hash.get("by") : "hour", until = null, isCompared = false;
/// The counters whose bars are shown; null for a group.
let names = view === "group" ? null : (subject ?? "").split(",");
/// The ends of the later charts, for the button Later.
let ends = [];
/// The elements of the view, the timer of the next query, the number of queries so far, and what was found last.
let parts = null, again = 0, queries = 0, present = null, weekBefore = null;

/// The same time a week before, by the clock: the hour is another one where clocks were changed between.
function aWeekBefore(time) {
  const day = new Date(time / 1000);
  return day.setDate(day.getDate() - 7) * 1000;
}

/// Draws the view once, and loads it again 5 s after a change.
export function drawPast() {
  if (!parts) begin();
  else if (until === null && !again) again = setTimeout(load, 5000);
}

function begin() {
  parts = {
    sums: element("dl", { class: "sums" }), rows: element("tbody"), said: element("p", { role: "status" }),
    steps: Object.entries(bins).map(([step, words]) => button(words, () => { by = step; until = null; ends = []; load(); })),
    earlier: signed("before", "Earlier"), later: signed("after", "Later"), span: element("b"), reading: element("p", { class: "reading", ariaLive: "polite" }),
    compare: button("The week before", () => { isCompared = !isCompared; load(); }), legend: element("ul", { class: "legend" }),
    more: element("select", { ariaLabel: "Compare with another counter" }), plot: chart(tellBar),
    picture: element("a", { class: "button", download: "", textContent: "Picture" }),
  };
  parts.more.onchange = () => { names.push(parts.more.value); load(); };
  const table = element("table", {}, element("caption", {}, "All numbers"),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "From"), element("th", { scope: "col" }, "Count"))), parts.rows);
  parts.found = element("div", { hidden: true }, element("nav", { class: "seg", ariaLabel: "Bars by" }, ...parts.steps), parts.sums,
    element("p", { class: "span" }, parts.earlier, parts.span, parts.later), parts.plot.made, parts.reading, parts.legend,
    element("p", { class: "steps" }, parts.compare, parts.more, button("CSV", saveTable), parts.picture), element("div", { class: "pair-of" }, eventList, table));
  main.replaceChildren(element("div", { class: "past" }, parts.said, parts.found));
  load();
}

const pastOf = () => names ? { counter: names.join(",") } : { group: subject };
/// The time of the chart; null for the last one.
const pageTimes = () => until === null ? null : { from: present.from, until: present.until };
const totalsQuery = end => new URLSearchParams({ ...pastOf(), by, ...end && { until: end } });

async function load() {
  clearTimeout(again);
  again = 0;
  history.replaceState(null, "", `${names ? address("past", names.join(",")) : location.pathname}${location.search}#by=${by}`);
  Object.keys(bins).forEach((step, index) => parts.steps[index].setAttribute("aria-pressed", String(step === by)));
  parts.compare.setAttribute("aria-pressed", String(isCompared));
  parts.compare.hidden = ["week", "month", "year"].includes(by);
  const mine = queries += 1;
  const { status, body } = await ask(`/totals?${totalsQuery(until)}`);
  // A later query has been sent meanwhile.
  if (mine !== queries) return;
  const isFound = status === 200 && body.steps;
  parts.said.textContent = isFound ? "" : status === 404 ? `There is no counter or group called “${subject}”.` : body.message;
  parts.found.hidden = !isFound;
  showHead(body.title);
  if (!isFound) {
    again = setTimeout(load, 5000);
    return;
  }
  weekBefore = null;
  if (isCompared && !parts.compare.hidden) {
    // Before the end of the last step, so that the same steps are found.
    const past = await ask(`/totals?${totalsQuery(aWeekBefore(body.until) - 1)}`), steps = past.body.steps?.slice(-body.steps.length);
    if (mine !== queries) return;
    if (steps?.length === body.steps.length) weekBefore = { steps };
  }
  show(body);
  showHistory(pastOf(), pageTimes());
}

/// Whose past it is, in the header, with the way back.
function showHead(title) {
  const item = names ? board.state.counters.find(one => one.name === names[0]) : ownGroup();
  const back = byId("where"), bar = byId("pager"), heading = element("h1", { dir: "auto" }, title ?? subject);
  back.href = names && item ? address("counter", item.name) : "/all";
  back.ariaLabel = names && item ? `Back to ${item.title}` : "All counters";
  back.replaceChildren(sign("before"));
  bar.hidden = false;
  bar.classList.add("head");
  if (bar.textContent !== heading.textContent) bar.replaceChildren(...item ? [chip(item)] : [], heading);
  colour(item, root);
}

const dayForm = { weekday: "short", day: "numeric", month: "short" }, clockForm = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const form = (time, options) => new Date(time / 1000).toLocaleString([], options);

/// The time of a step as a person says it.
function spanOf(place) {
  const { steps: all } = present, start = all[place].start, end = (all[place + 1]?.start ?? present.until) - 1;
  if (by === "year") return form(start, { year: "numeric" });
  if (by === "month") return form(start, { month: "long", year: "numeric" });
  if (by === "week") return `${form(start, dayForm)} – ${form(end, dayForm)}`;
  return by === "day" ? form(start, dayForm) : `${form(start, { ...dayForm, ...clockForm })} – ${form(end + 1, clockForm)}`;
}

const shortForms = { hour: { hour: "2-digit", hourCycle: "h23" }, day: { day: "numeric", month: "numeric" }, week: { day: "numeric", month: "numeric" }, month: { month: "short" }, year: { year: "numeric" } };
const spans = { minute: "minutes", "5min": "steps of 5 minutes", "15min": "steps of 15 minutes", hour: "hours", day: "days", week: "weeks", month: "months", year: "years" };

function show(found) {
  const { sums, rows, legend } = parts, isLong = by === "year" || by === "month";
  present = found;
  let last = form(found.steps[0].start, { day: "numeric" });
  for (const one of found.steps) {
    const day = form(one.start, { day: "numeric" });
    one.short = form(one.start, shortForms[by] ?? clockForm);
    if (!(by in shortForms) || by === "hour") one.day = day === last ? undefined : form(one.start, { weekday: "short" });
    last = day;
  }
  document.title = `${found.title}, by ${by}`;
  parts.picture.href = `/plot.svg?${totalsQuery(until)}`;
  const facts = [[`in ${found.steps.length} ${spans[by]}`, found.total.replace(/-?[\d.]+$/, number)]];
  if (found.rate) {
    const [, amount, each] = /^(\S+)\s(.*)$/.exec(found.rate) ?? ["", found.rate, ""];
    facts.push([`${each || "on average"}, over ${found.rateTime}`, number(amount)]);
  }
  if (found.busiest) facts.push([`in the busiest hour, from ${form(found.busiestAt, { weekday: "short", ...clockForm })}`, number(found.busiest)]);
  sums.replaceChildren(...facts.map(([words, text]) => element("div", { class: text.length > 9 ? "long" : "" }, element("dt", {}, words), digits("dd", text))));
  const edge = isLong ? { month: "short", year: "numeric" } : dayForm, edges = [form(found.from, edge), form(found.until - 1, edge)];
  parts.span.textContent = edges[0] === edges[1] ? edges[0] : edges.join(" – ");
  tellBar(parts.plot.show(found, weekBefore));
  const chosen = board.state.counters.filter(one => names?.includes(one.name));
  renew(legend, ...(found.layers ?? []).map((layer, index) => colour(layer, element("li", {}, element("i"), element("span", { dir: "auto" }, layer.title), element("b", {}, number(layer.total)),
    ...!names ? [] : [signed("close", `Without ${layer.title}`, () => { names = names.filter(one => one !== chosen[index]?.name); load(); })]))));
  const others = board.state.counters.filter(one => !one.archived && !names?.includes(one.name) && Boolean(one.stopwatch) === Boolean(chosen[0]?.stopwatch));
  parts.more.hidden = !names || !others.length || names.length >= mostBars;
  const options = [new Option("Compare with …", ""), ...others.map(one => new Option(one.title, one.name))], wordsOf = all => [...all].map(one => one.text).join("\n");
  // A list that is open stays so.
  if (wordsOf(options) !== wordsOf(parts.more.options)) parts.more.replaceChildren(...options);
  rows.replaceChildren(...folded(found.steps));
  parts.earlier.onclick = () => { ends.push(until); until = found.from; load(); };
  parts.later.onclick = () => { until = ends.pop() ?? null; load(); };
  if (until === null && document.activeElement === parts.later) parts.earlier.focus();
  parts.later.disabled = until === null;
}

/// The rows of the table, newest first; three steps and more without a count are one row.
function folded(all) {
  const made = [];
  for (let last = all.length - 1; last >= 0; last -= 1) {
    let first = last;
    if (!all[last].net) while (first > 0 && !all[first - 1].net) first -= 1;
    if (last - first < 2) first = last;
    const words = first === last ? spanOf(last).split(" – ")[0] : `${spanOf(first).split(" – ")[0]} – ${spanOf(last).split(" – ").at(-1)}`;
    made.push(element("tr", { class: all[last].net ? "" : "soft" }, element("th", { scope: "row" }, words), element("td", {}, number(all[last].text))));
    last = first;
  }
  return made;
}

/// A number that is never broken, however long it is: its size is one that the window has room for.
function digits(name, text) {
  const made = element(name, { class: "digits" }, text);
  made.style.setProperty("--length", text.length);
  return made;
}

/// Draws a part anew, and gives the keyboard back to its button; or, where there is none any more, to one above.
function renew(part, ...children) {
  const at = [...part.querySelectorAll("button")].indexOf(document.activeElement);
  part.replaceChildren(...children);
  if (at >= 0) (part.querySelectorAll("button")[at] ?? part.querySelector("button") ?? parts.earlier).focus({ preventScroll: true });
}

/// Says the number of a bar, and which time it is.
function tellBar(place) {
  const { reading } = parts, one = present?.steps[place];
  if (!one) return renew(reading, "Touch a bar to read it.");
  const past = weekBefore?.steps[place], end = present.steps[place + 1]?.start ?? present.until;
  const words = [spanOf(place), ...past ? [`${number(past.text)} the week before`] : []].join(", ");
  renew(reading, digits("b", number(one.text)), element("span", {}, words), button("Its events", () => showHistory(pastOf(), pageTimes(), { from: one.start, until: end }, spanOf(place)), { class: "plain" }),
    ...by !== "day" ? [] : [button("Its hours", () => { by = "hour"; until = end; ends = []; load(); }, { class: "plain" })]);
  parts.plot.say(`${number(one.text)}, ${words}`);
}

/// A table for a spreadsheet, with the times as the machine writes them.
function saveTable() {
  const layers = present.layers ?? [];
  const rows = [["from", "count", ...layers.map(one => one.title)], ...present.steps.map((one, place) => [one.label, one.text, ...layers.map(layer => layer.texts[place])])];
  openLater("saveRows", `${names?.join("-") ?? subject}-${by}`, rows);
}
