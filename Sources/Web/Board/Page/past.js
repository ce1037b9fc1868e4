// The past of a counter or a group: a chart, with the same numbers as a table.

import { button, element, main } from "./elements.js";
import { ask } from "./queue.js";
import { subject, view } from "./state.js";
import { number } from "./texts.js";

const steps = ["minute", "hour", "day", "week", "month"];
const hash = new URLSearchParams(location.hash.slice(1));
let by = steps.includes(hash.get("by")) ? hash.get("by") : "hour", until = null;
/// The ends of the later charts, for the button Later.
let ends = [];
/// The elements of the view, the timer of the next query, and the number of queries so far.
let parts = null, again = 0, queries = 0;

/// Draws the view once, and loads it again 5 s after a change.
export function drawPast() {
  if (!parts) begin();
  else if (until === null && !again) again = setTimeout(load, 5000);
}

function begin() {
  parts = {
    title: element("h1"), picture: element("img", { class: "plot", hidden: true }), sums: element("dl", { class: "sums" }),
    rows: element("tbody"), said: element("p", { role: "status" }),
    steps: steps.map(step => button(step, () => { by = step; until = null; ends = []; load(); })),
    earlier: button("‹ Earlier"), later: button("Later ›"),
  };
  const table = element("table", {}, element("caption", {}, "Counts"),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "From"), element("th", { scope: "col" }, "Count"))),
    parts.rows);
  main.replaceChildren(element("div", { class: "past" }, parts.title,
    element("p", { class: "steps" }, ...parts.steps), parts.picture,
    element("p", { class: "steps" }, parts.earlier, parts.later), parts.said, parts.sums, table));
  load();
}

async function load() {
  clearTimeout(again);
  again = 0;
  history.replaceState(null, "", `${location.pathname}${location.search}#by=${by}`);
  parts.steps.forEach((one, index) => one.setAttribute("aria-pressed", String(steps[index] === by)));
  const words = new URLSearchParams({ [view === "group" ? "group" : "counter"]: subject, by, ...until && { until }, ...innerWidth < 640 && { narrow: "yes" } });
  const query = queries += 1;
  const { status, body } = await ask(`/totals?${words}`);
  // A later query has been sent meanwhile.
  if (query !== queries) return;
  const isFound = status === 200 && body.steps;
  parts.said.textContent = isFound ? "" : body.message;
  if (isFound) show(body, words); else again = setTimeout(load, 5000);
}

function show(found, words) {
  const { title, picture, sums, rows, earlier, later } = parts, moment = time => new Date(time / 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  title.textContent = found.title;
  document.title = `${found.title}, by ${by}`;
  picture.src = `/plot.svg?${words}&at=${Date.now()}`;
  picture.alt = `Bars of ${found.title} by ${by}; the table below has the numbers`;
  picture.hidden = false;
  const facts = [["Total", number(found.total)]];
  if (found.rate) facts.push(["Average", found.rate]);
  if (found.busiest) facts.push(["Busiest hour", `${number(found.busiest)}, from ${moment(found.busiestAt)}`]);
  sums.replaceChildren(...facts.map(([name, text]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, text))));
  rows.replaceChildren(...found.steps.toReversed().map(step =>
    element("tr", {}, element("th", { scope: "row" }, step.label), element("td", {}, number(step.text)))));
  earlier.onclick = () => { ends.push(until); until = found.from; load(); };
  later.onclick = () => { until = ends.pop() ?? null; load(); };
  later.disabled = until === null;
}
