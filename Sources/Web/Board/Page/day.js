// Today, beside the sheet of a wide screen: the sum, and bars by the hour.

import { element } from "./elements.js";
import { ask } from "./queue.js";
import { number } from "./texts.js";

/// The element that shows it, and the counter.
let dayMade = null, name = null, dayAgain = 0, dayQueries = 0;

/// Asks for the last day of a counter: at once for another one, else 5 s after a change.
export function drawDay(item, made) {
  dayMade = made;
  if (item.formula) {
    clearTimeout(dayAgain);
    dayAgain = 0;
    // An answer for another counter may be on its way.
    dayQueries += 1;
    dayMade.hidden = true;
    name = null;
    return;
  }
  if (item.name !== name) {
    name = item.name;
    dayMade.hidden = true;
    loadDay();
  } else if (!dayAgain) dayAgain = setTimeout(loadDay, 5000);
}

async function loadDay() {
  clearTimeout(dayAgain);
  dayAgain = 0;
  const query = dayQueries += 1, { status, body } = await ask(`/totals?${new URLSearchParams({ counter: name, by: "hour" })}`);
  if (query !== dayQueries) return;
  if (status !== 200 || !body.steps?.length) return void (dayMade.hidden = true);
  // A measure's text has its unit, or is a time.
  const steps = body.steps, size = text => Math.max(0, parseFloat(text.replace(/:/g, ".")) || 0), sizes = steps.map(one => size(one.text)), most = Math.max(...sizes);
  dayMade.hidden = false;
  dayMade.replaceChildren(element("h2", {}, `Last ${steps.length} hours`), element("p", { class: "digits" }, number(body.total)),
    ...body.rate ? [element("small", {}, `${body.rate} over ${body.rateTime}`)] : [],
    element("div", { class: "hours", ariaHidden: "true" }, ...sizes.map(one => {
      const bar = element("i", { class: most > 0 && one === most ? "most" : "" });
      bar.style.height = `${most > 0 ? 100 * one / most : 0}%`;
      return bar;
    })),
    element("p", {}, ...[steps[0], steps.at(-1)].map(one => element("small", {}, one.label.split(" ").at(-1)))));
}
