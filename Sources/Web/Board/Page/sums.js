// The sum of a group, which its formula says or its counters do.

import { subject } from "./state.js";
import { number, reading, units, value } from "./texts.js";

/// Whether counters and formulas are others than those that a section has drawn last: a count then draws its own group alone.
export function isOther(section, all) {
  const isSame = section.all?.length === all.length && all.every((one, place) => one === section.all[place]) && !all.some(one => one.since);
  section.all = all;
  return !isSame;
}

/// The sum of a group, the share of each counter in thousandths and, where the group is alone, the highest and the lowest.
/// The first formula of the group is its sum. Titles are isolated, since one that runs from right to left turns a number around. Without a formula it is that of the counters, unless one is a stopwatch and another
/// is not, or they have other decimals. Shares are of the sum that is said; where a counter is negative there are none.
export function sumOf(all, group) {
  const formula = all.find(one => one.formula), said = formula ? { head: `\u2068${formula.title}\u2069 ${value(formula)}` } : {};
  const counters = all.filter(one => !one.formula), times = counters.filter(one => one.stopwatch), decimals = counters[0]?.decimals ?? 0;
  const isUnlike = counters.some(one => (one.decimals ?? 0) !== decimals);
  if (!group || counters.length < 2 || isUnlike || times.length && times.length < counters.length) return group ? said : {};
  const numbers = counters.map(one => one.stopwatch ? reading(one) : BigInt(one.value)), sum = numbers.reduce((one, other) => one + other, 0n);
  const text = times.length ? value({ stopwatch: true, elapsed: sum }) : number(units(sum, decimals));
  const extreme = sign => counters[numbers.reduce((best, one, index) => (one - numbers[best]) * sign > 0n ? index : best, 0)];
  const hasShares = sum > 0n && numbers.every(one => one >= 0n) && (!formula || value(formula) === text), isEven = numbers.every(one => one === numbers[0]);
  return {
    head: text, foot: isEven || subject === null ? "" : `highest \u2068${extreme(1n).title}\u2069, lowest \u2068${extreme(-1n).title}\u2069`,
    parts: hasShares ? new Map(counters.map((one, place) => [one, Number((numbers[place] * 2000n + sum) / (2n * sum))])) : null, ...said,
  };
}
