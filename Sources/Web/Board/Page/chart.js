// The bars of the past: they fill their space, and a finger, the mouse or the arrow keys read one.

import { colour } from "./colours.js";
import { element, root } from "./elements.js";
import { draw } from "./icons.js";
import { number } from "./texts.js";

/// The room for the numbers of the axis and for the times below, in parts of the chart: 16 of them are the size of texts.
const side = 46, below = 24;
const partIn = ({ clientWidth }) => Math.min(parseFloat(getComputedStyle(root).fontSize) / 16, clientWidth / 250);

/// A chart that can be read.
///
/// - Parameter read: is called with the place of the bar that is read; null for none.
export function chart(read) {
  const made = element("div", { class: "plot", tabIndex: 0, role: "slider", ariaLabel: "Bars. The arrow keys read them", ariaValueMin: 0, ariaValueNow: 0 });
  let found = null, before = null, at = null;
  const mark = () => {
    made.querySelector(".on")?.classList.remove("on");
    if (at !== null) made.querySelectorAll(".slot")[at]?.classList.add("on");
    made.ariaValueNow = String(at ?? 0);
  };
  const select = place => {
    at = place;
    mark();
    read(place);
  };
  const point = event => {
    if (!found) return;
    const { left, width } = made.getBoundingClientRect(), count = found.steps.length;
    select(Math.max(0, Math.min(count - 1, Math.floor((event.clientX - left) / (width - side * partIn(made)) * count))));
  };
  made.onpointerdown = point;
  made.onpointermove = event => { if (event.pointerType === "mouse" || event.buttons) point(event); };
  made.onkeydown = event => {
    const last = (found?.steps.length ?? 0) - 1, to = { ArrowLeft: (at ?? last + 1) - 1, ArrowRight: (at ?? -1) + 1, Home: 0, End: last, Escape: null }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    select(to === null ? null : Math.max(0, Math.min(last, to)));
  };
  function paint() {
    const part = partIn(made), width = made.clientWidth / part, height = made.clientHeight / part;
    if (!found || !part) return;
    const { steps } = found, foot = height - below, room = width - side, thick = room / steps.length;
    const layers = found.layers ?? [{ nets: steps.map(one => one.net) }];
    const stack = (place, sign) => layers.reduce((sum, one) => sum + Math.max(0, sign * one.nets[place]), 0);
    const past = (before?.steps ?? []).map(one => one.net), places = steps.map((_, place) => place);
    const high = Math.max(1, ...places.map(place => stack(place, 1)), ...past), low = Math.max(0, ...places.map(place => stack(place, -1)), ...past.map(one => -one));
    const each = tick(high + low, steps), top = Math.ceil(high / each) * each, bottom = Math.ceil(low / each) * each;
    const y = value => 12 + (foot - 12) * (top - value) / (top + bottom), x = place => room * place / steps.length;
    const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    const words = (text, more) => {
      const made = draw("text", more);
      made.append(text);
      return made;
    };
    for (let value = -bottom; value <= top; value += each) {
      svg.append(draw("path", { class: "grid", d: `M0 ${y(value)}H${room}` }), words(axis(value, steps), { x: width, y: y(value) + 4, "text-anchor": "end" }));
    }
    for (const place of places) {
      const slot = draw("g", { class: "slot" }, draw("rect", { class: "back", x: x(place), y: 0, width: thick, height: foot }));
      for (const sign of [1, -1]) {
        let base = 0;
        for (const one of layers) {
          const size = Math.max(0, sign * one.nets[place]);
          if (!size) continue;
          const from = y(sign > 0 ? base + size : -base), to = y(sign > 0 ? base : -base - size);
          const bar = draw("rect", { class: "bin", x: x(place) + thick * 0.13, y: from, width: thick * 0.74, height: Math.max(1.5, to - from), rx: Math.min(4, thick / 5) });
          slot.append(one.title ? colour(one, bar) : bar);
          base += size;
        }
      }
      if (!slot.querySelector(".bin")) slot.append(draw("circle", { class: "none", cx: x(place) + thick / 2, cy: y(0) - 3, r: 1.7 }));
      if (past[place]) slot.append(draw("path", { class: "before", d: `M${x(place) + 1.5} ${y(past[place])}H${x(place) + thick - 1.5}` }));
      // A new day has a line and its name.
      if (steps[place].day) slot.append(draw("path", { class: "day-line", d: `M${x(place)} 0V${foot + 5}` }));
      svg.append(slot);
    }
    // As many times as there is room for; a day comes before the times beside it.
    let free = -Infinity;
    const days = places.filter(place => steps[place].day);
    for (const place of places) {
      const left = x(place) + thick * 0.13, next = days.find(one => one > place), own = steps[place].day ?? steps[place].short, wide = own.length * 7 + 12;
      if (left < free || left + wide > width || !steps[place].day && next !== undefined && left + wide > x(next)) continue;
      svg.append(words(own, { x: left, y: height - 6, class: steps[place].day ? "day-name" : "" }));
      free = left + wide;
    }
    made.replaceChildren(svg);
    made.ariaValueMax = String(steps.length - 1);
    mark();
  }
  new ResizeObserver(paint).observe(made);

  /// - Parameters:
  ///   - now: the steps with their numbers.
  ///   - earlier: the steps of a time before, or null.
  /// - Returns: the place of the bar that is still read, or null.
  const show = (now, earlier) => {
    if (now.from !== found?.from || now.steps.length !== found?.steps.length) at = null;
    [found, before] = [now, earlier];
    paint();
    return at;
  };
  return { made, show, say(words) { made.ariaValueText = words; } };
}

const isTime = text => text.includes(":");

/// The distance of the lines, of which there are about four: a round number, of times a round number of seconds, minutes or hours.
function tick(span, steps) {
  const round = isTime(steps[0].text) ? [1, 60, 3600].flatMap(unit => [1, 2, 5, 10, 15, 30].map(one => one * unit * 1e6)) : [];
  const tens = 10 ** Math.max(0, Math.floor(Math.log10(span / 4)));
  return round.find(one => one * 5 >= span) ?? [1, 2, 5, 10].map(one => one * tens).find(one => one * 5 >= span);
}

/// A number of the axis in the unit of the steps.
function axis(value, steps) {
  if (isTime(steps[0].text)) return `${Math.floor(value / 3600e6)}:${String(Math.floor(value / 60e6) % 60).padStart(2, "0")}`;
  const { net, text } = steps.find(one => one.net) ?? { net: 1, text: "1" };
  const size = Number((value * parseFloat(text) / net).toPrecision(6));
  if (Math.abs(size) < 1e5) return number(String(size));
  // As 1.2M; from 10^15 on as 9E18.
  return size.toLocaleString([], { notation: Math.abs(size) < 1e15 ? "compact" : "engineering", maximumSignificantDigits: 3 }).replace("-", "−");
}
