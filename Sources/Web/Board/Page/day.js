// Today, beside the sheet of a wide screen: the sum, and bars by the hour.

import { element } from "./elements.js";
import { ask } from "./queue.js";
import { number } from "./texts.js";

export const today = element("section", { class: "today", hidden: true });
let name = null, dayAgain = 0, dayQueries = 0;

/// Asks for the last day of a counter: at once for another one, else 5 s after a change.
export function drawDay(item) {
  if (item.formula) return void (today.hidden = true, name = null);
  if (item.name !== name) {
    name = item.name;
    today.hidden = true;
    loadDay();
  } else if (!dayAgain) dayAgain = setTimeout(loadDay, 5000);
}

async function loadDay() {
  clearTimeout(dayAgain);
  dayAgain = 0;
  const query = dayQueries += 1, { status, body } = await ask(`/totals?${new URLSearchParams({ counter: name, by: "hour" })}`);
  if (query !== dayQueries) return;
  if (status !== 200 || !body.steps?.length) return void (today.hidden = true);
  // A measure's text has its unit, or is a time.
  const steps = body.steps, size = text => Math.max(0, parseFloat(text.replace(/:/g, ".")) || 0), sizes = steps.map(one => size(one.text)), most = Math.max(...sizes);
  today.hidden = false;
  today.replaceChildren(element("h2", {}, `Last ${steps.length} hours`), element("p", { class: "digits" }, number(body.total)),
    ...body.rate ? [element("small", {}, body.rate)] : [],
    element("div", { class: "hours", ariaHidden: "true" }, ...sizes.map(one => {
      const bar = element("i", { class: most > 0 && one === most ? "most" : "" });
      bar.style.height = `${most > 0 ? 100 * one / most : 0}%`;
      return bar;
    })),
    element("p", {}, ...[steps[0], steps.at(-1)].map(one => element("small", {}, one.label.split(" ").at(-1)))));
}
