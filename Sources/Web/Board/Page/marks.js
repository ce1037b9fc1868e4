// What is drawn above a number: tally marks in fives, as by hand; and for what marks cannot say, dots, cells, a ring or a dial.

import { element } from "./elements.js";
import { draw } from "./icons.js";
import { reading } from "./texts.js";

/// Between −0.5 and 0.5, the same for the same place: a sheet looks alike on every screen.
function chance(place) {
  const x = Math.sin(place * 127.1) * 43758.5453;
  return x - Math.floor(x) - 0.5;
}

/// The size of the field of five marks, the factors by which it is scaled, and the height in pixels up to which one row may fill a sheet.
const fieldWidth = 41, fieldHeight = 39, largest = 14, smallest = 0.42, lowSheet = 60;

/// How many fields of a size come in a row, so that all fit.
function fit(number, width, height) {
  for (let factor = largest; ; factor *= 0.88) {
    const inRow = Math.floor((width + 3 * factor) / (fieldWidth * factor)), rows = Math.ceil(number / inRow);
    const isFit = inRow >= 3 && fieldHeight * factor < Math.max(height / 2, lowSheet) && rows * fieldHeight * factor <= height;
    if (isFit || factor < smallest) return { factor, inRow: Math.max(1, inRow), rows: Math.max(1, rows) };
  }
}

/// One mark of a row of fives: four strokes, and the fifth across them.
function stroke(place, inRow) {
  const five = Math.floor(place / 5), one = place % 5, left = five % inRow * fieldWidth + 6, top = Math.floor(five / inRow) * fieldHeight;
  const by = (number, most = 2.4) => chance(place * 5 + number) * most;
  const at = (x, y) => `${(left + x).toFixed(1)} ${(top + y).toFixed(1)}`;
  if (one === 4) return `M${at(-3.5 + by(1), 25 + by(2, 4))}Q${at(13 + by(5, 5), 16 + by(6, 5))} ${at(30.5 + by(3), 6 + by(4, 4))}`;
  const x = 2 + one * 7.4;
  return `M${at(x + 1 + by(1), 2 + by(2, 3.4))}Q${at(x + 0.4 + by(5, 3), 15 + by(6))} ${at(x + 0.2 + by(3), 30 + by(4, 4))}`;
}

/// Five marks that draw themselves, for a page that has nothing to count yet.
export const fiveMarks = () => draw("svg", { viewBox: "0 -2 42 38", "aria-hidden": "true" }, ...[0, 1, 2, 3, 4].map(place => draw("path", { d: stroke(place, 1) })));

/// Sets an attribute that is another one: a browser lays all marks out anew even for the same.
const setMark = (made, name, text) => { if (made.getAttribute(name) !== text) made.setAttribute(name, text); };

/// Strokes share an element, so that a count changes one of them.
const together = 25;

/// A sheet, which fills the element that it is put into.
export function tallySheet() {
  const paper = draw("g"), made = element("div", { class: "paper" }, draw("svg", { class: "sheet", "aria-hidden": "true" }, paper));
  let kind = "", chunks = [], newest = null, waits = null, line = null, hand = null, size = [0, 0], drawn = null;

  function clear(name) {
    if (kind === name) return false;
    kind = name;
    chunks = [];
    newest = waits = hand = drawn = null;
    paper.replaceChildren();
    paper.removeAttribute("transform");
    return true;
  }

  /// Marks of a whole number up to 999, those of what waits lighter; dots above them are thousands. Beyond 200,000 larger dots
  /// are ten thousands, beyond two millions still larger ones hundred thousands, and so on.
  function marks(value, waiting, isEvent, isBelow = false) {
    let unit = 1000;
    while (value / unit > 200) unit *= 10;
    const total = Math.max(value, value + waiting), number = total % 1000, dotCounts = [];
    for (let one = unit, rest = total; one >= 1000; rest %= one, one /= 10) dotCounts.push(Math.floor(rest / one));
    const dots = dotCounts.reduce((sum, one) => sum + one), solid = Math.max(0, number - Math.abs(waiting)), dotRows = dots ? Math.ceil(dots / 20) : 0, dot = Math.min(size[0] / 21, 16);
    const { factor, inRow } = fit(Math.ceil(number / 5), size[0], size[1] - dotRows * dot - 8), isNew = clear(`marks ${inRow} ${factor} ${isBelow} ${unit} ${dotRows}`);
    const rows = Math.max(1, Math.ceil(number / 5 / inRow)), top = size[1] - rows * fieldHeight * factor;
    if (isNew) {
      drawn = { dots: dotCounts.map(() => draw("path", { class: "dots" })), marks: draw("g") };
      line = draw("path", { class: "arc" });
      newest = draw("path");
      waits = draw("path", { class: "wait" });
      paper.append(...drawn.dots, drawn.marks);
      drawn.marks.append(line, newest, waits);
    }
    setMark(drawn.marks, "transform", `translate(0,${top.toFixed(1)}),scale(${factor})`);
    setMark(drawn.marks, "stroke-width", String(3 * factor ** -0.18));
    // Below zero the marks hang from a line.
    setMark(line, "d", isBelow ? `M0 -3H${inRow * fieldWidth - 6}` : "");
    const places = Array.from({ length: dots }, (_, at) =>
      `M${(dot / 2 + at % 20 * dot).toFixed(1)} ${(top - dotRows * dot + Math.floor(at / 20) * dot - 2).toFixed(1)}h0`);
    dotCounts.forEach((count, size) => {
      setMark(drawn.dots[size], "d", places.splice(0, count).join(""));
      setMark(drawn.dots[size], "stroke-width", String(dot * 0.62 ** (size + 1)));
    });
    const before = drawn.solid, old = Math.max(0, solid - 1);
    for (let first = 0; first < old || first / together < chunks.length; first += together) {
      const end = Math.min(old, first + together), chunk = chunks[first / together] ??= { end: first, path: draw("path") };
      if (!chunk.path.parentNode) newest.before(chunk.path);
      if (chunk.end === end) continue;
      chunk.end = end;
      chunk.path.setAttribute("d", strokes(first, end, inRow));
    }
    if (before !== solid) {
      const path = draw("path", { class: isEvent && solid > before && !drawn.waiting ? "new drawn" : "new", d: solid ? stroke(solid - 1, inRow) : "" });
      newest.replaceWith(path);
      newest = path;
    }
    setMark(waits, "d", strokes(solid, number, inRow));
    Object.assign(drawn, { solid, waiting });
  }

  const strokes = (from, to, inRow) => Array.from({ length: Math.max(0, to - from) }, (_, at) => stroke(from + at, inRow)).join("");

  /// Cells of a measure, the last one filled in part; each stands for a power of ten.
  function cells(value) {
    let unit = 1;
    while (Math.abs(value) / unit > 60) unit *= 10;
    const count = Math.abs(value) / unit, all = Math.ceil(count), side = fit(Math.max(5, all), size[0] * 0.82, size[1] * 1.1), step = fieldHeight * side.factor * 0.88, edge = step * 0.84;
    const inRow = Math.max(1, Math.floor(size[0] / step)), rows = Math.max(1, Math.ceil(all / inRow)), top = size[1] - rows * step;
    clear("cells");
    const at = place => ({ x: (place % inRow * step).toFixed(1), y: (top + Math.floor(place / inRow) * step).toFixed(1), height: edge.toFixed(1), rx: (edge * 0.22).toFixed(1) });
    paper.replaceChildren(...Array.from({ length: all }, (_, place) => {
      const part = Math.min(1, count - place), whole = draw("rect", { ...at(place), width: edge.toFixed(1), class: "track" });
      return draw("g", {}, whole, draw("rect", { ...at(place), width: (edge * part).toFixed(1), class: value < 0 ? "less" : "cell" }));
    }));
  }

  const across = () => Math.min(size[0], size[1] * 0.96, 640);

  /// A ring that closes with its goal or limit.
  function ring(share) {
    const diameter = across(), width = diameter * 0.13, radius = (diameter - width) / 2, whole = 2 * Math.PI * radius;
    clear(`ring ${size}`);
    const place = { cx: diameter / 2, cy: size[1] - diameter / 2, r: radius, "stroke-width": width };
    drawn ??= paper.appendChild(draw("circle", { ...place, class: "track" })) && paper.appendChild(draw("circle", { ...place, class: "arc", transform: `rotate(-90 ${place.cx} ${place.cy})` }));
    drawn.setAttribute("stroke-dasharray", `${(whole * Math.min(1, Math.max(0, share))).toFixed(1)} ${whole.toFixed(1)}`);
    drawn.classList.toggle("over", share > 1);
  }

  /// A dial: the minutes are dark, and a hand runs with the seconds.
  function dial(item) {
    const diameter = across(), x = diameter / 2, y = size[1] - diameter / 2, seconds = Number(reading(item) / 10_000n) / 100;
    if (clear(`dial ${size}`)) {
      drawn = Array.from({ length: 60 }, (_, tick) => draw("path", {
        d: `M${x} ${y - x * 0.98}v${x * (tick % 5 ? 0.09 : 0.17)}`, "stroke-width": x * (tick % 5 ? 0.025 : 0.045), transform: `rotate(${tick * 6} ${x} ${y})`,
      }));
      hand = draw("path", { class: "arc", d: `M${x} ${y + x * 0.12}V${y - x * 0.72}`, "stroke-width": x * 0.045 });
      paper.append(...drawn, hand, draw("circle", { cx: x, cy: y, r: x * 0.05, class: "cell" }));
    }
    const minutes = Math.floor(seconds / 60) % 60, isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    drawn.forEach((tick, place) => setMark(tick, "class", place <= minutes ? "arc" : "track"));
    hand.setAttribute("transform", `rotate(${(isCalm ? Math.floor(seconds) : seconds) * 6 % 360} ${x} ${y})`);
  }

  /// - Parameters:
  ///   - waiting: what waits to be recorded.
  ///   - isEvent: whether a count was recorded just now.
  function show(item, waiting = 0, isEvent = false) {
    const percent = / %$/.test(item.text ?? "") ? Number(item.text.slice(0, -2)) / 100 : null, value = Number(item.text);
    const goal = Number(item.target ?? item.maximum);
    if (size[1] < 26) clear("nothing");
    else if (item.stopwatch) dial(item);
    else if (percent !== null) ring(percent);
    else if (item.decimals && goal > 0) ring(value / goal);
    else if (!Number.isFinite(value) || item.text === undefined) clear("nothing");
    else if (item.decimals || item.formula) cells(value);
    else if (value < 0) marks(-value, -waiting, isEvent, true);
    else marks(value, waiting, isEvent);
  }
  return { made, show, size: (width, height) => { size = [width, height]; } };
}
