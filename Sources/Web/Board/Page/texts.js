// Values, times and events as text.

import { vary } from "./elements.js";
import { board, groupTitle } from "./state.js";

const points = new Intl.NumberFormat().formatToParts(-12345.6);
const part = name => points.find(one => one.type === name)?.value ?? "";
const marks = { group: part("group") || " ", point: part("decimal") || "." };

/// A decimal number of any length in the person's format; times as they are.
export function number(text) {
  const match = /^(-?)(\d+)(?:\.(\d+))?( %)?$/.exec(text ?? "");
  if (!match) return text ?? "–";
  const [, sign, whole, rest, unit] = match;
  const grouped = whole.length < 5 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, marks.group);
  return (sign ? "−" : "") + grouped + (rest ? marks.point + rest : "") + (unit ?? "");
}

/// A BigInt of units as a decimal number: 125n with 2 decimals is 1.25.
export function units(count, decimals = 0) {
  const digits = String(count < 0n ? -count : count).padStart(decimals + 1, "0"), point = digits.length - decimals;
  return (count < 0n ? "-" : "") + digits.slice(0, point) + (decimals ? `.${digits.slice(point)}` : "");
}

/// The present reading of a stopwatch, in microseconds.
export function reading(item) {
  const running = item.since ? Math.max(0, (board.until ?? Date.now()) + board.ahead - item.since / 1000) : 0;
  return BigInt(item.since ? item.value : item.elapsed) + BigInt(Math.round(running * 1000));
}

export function value(item) {
  if (!item.stopwatch) return number(item.text);
  const tenths = Number(reading(item) / 100_000n);
  const seconds = Math.floor(tenths / 10), two = n => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60) % 60, hours = Math.floor(seconds / 3600);
  const rest = two(seconds % 60) + (hours ? "" : marks.point + tenths % 10);
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/// What a press of a counter does, for those who hear it.
export const pressWords = item => `Press to ${item.stopwatch ? item.since ? "stop" : "start" : `add ${number(item.step)}`}`;

/// The width of a text in digits: points and spaces are narrower.
const widthOf = text => Math.max(2, [...text].reduce((sum, one) => sum + (/[\d+−–-]/.test(one) ? 1 : /[.,:’'\s]/.test(one) ? 0.42 : 1.3), 0));

/// Writes a large number into an element of a sheet or a tile, and says there how wide it is, and how far a first digit stands from
/// its edge: all digits have one width, and a 1 is narrower.
export function writeNumber(made, text) {
  if (made.textContent === text) return;
  made.textContent = text;
  vary(made.parentNode.parentNode, { width: widthOf(text).toFixed(2), start: text[0] === "1" ? "-.15em" : "-.03em" });
}

/// A time of this device as the charts and the command line have it: `2026-11-28 09:05:00`.
const moment = milliseconds => new Date(milliseconds - new Date(milliseconds).getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace("T", " ");
export const minute = microseconds => moment(microseconds / 1000).slice(0, 16);
export const time = microseconds => clock(microseconds / 1000);
export const clock = milliseconds => moment(milliseconds).slice(11);

/// How long ago a time is: an event of today, or its day.
export function ago(microseconds) {
  const seconds = Math.max(0, Math.round((Date.now() + board.ahead - microseconds / 1000) / 1000));
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return minute(microseconds).slice(seconds < 64_800 ? 11 : 0);
}

/// - Parameter isShort: without what a row of many counters has no need of.
export function detail(item, isShort = false) {
  const words = [];
  if (item.target !== undefined) {
    words.push(item.reached ? `goal of ${number(item.target)} reached` : `${number(item.left)} left of ${number(item.target)}`);
  }
  if (item.maximum !== undefined) {
    words.push(`${item.over ? "over: " : item.full ? "full: " : ""}${number(item.text)} of ${number(item.maximum)}`);
    const room = Number(item.maximum) - Number(item.text);
    if (!isShort && room > 0 && Number.isSafeInteger(Number(item.value))) words.push(`room for ${number(room.toFixed(item.decimals ?? 0))}`);
  }
  if (item.own) words.push(`${number(item.own)} of them here`);
  if (item.since || item.stopwatch && !isShort) words.push(item.since ? "running" : "stopped");
  if (item.archived) words.push("archived");
  if (item.locked) words.push("locked");
  if (item.formula && !isShort) words.push(`= ${item.formula}`);
  if (item.renewsAt && !isShort) words.push(`restarts ${minute(item.renewsAt)}`);
  return words.join(" · ");
}

const labels = { target: "Goal", minimum: "Lowest value", maximum: "Limit", order: "Place", archived: "Archive", every: "Milestones" };
/// A setting as the sheet calls it: `stepDown` is Step down.
export const labelled = name => labels[name] ?? name.replace(/^./, first => first.toUpperCase()).replace(/[A-Z]/g, (letter, at) => at ? ` ${letter.toLowerCase()}` : letter);

const escaped = mark => mark.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/// A number in digit groups, as it is shown.
const grouped = new RegExp(`^-?[1-9]\\d{0,2}(${escaped(marks.group)}\\d{3})+(${escaped(marks.point)}\\d+)?$`);

/// The text of a field for a number as the board takes it: with a decimal point and without digit groups.
export function typed(text) {
  const plain = text.trim().replace(/^−/, "-"), whole = grouped.test(plain) ? plain.replaceAll(marks.group, "") : plain;
  // Either mark is taken: the keypad of a phone may have only one of them.
  return whole.includes(".") ? whole : whole.replace(",", ".");
}

/// Whether a text has all words of another one, in any order.
export const hasWords = (text, words) => words.toLocaleLowerCase().split(/\s+/).every(word => text.toLocaleLowerCase().includes(word));

/// The beginning of a long text.
function short(text) {
  const letters = [...text], most = 24;
  return letters.length > most ? `${letters.slice(0, most).join("")}…` : text;
}

/// A change of settings: `Goal 20`, or `Goal, Limit changed` where the event does not say one value.
function changed({ settings, after }) {
  const names = settings.split(", ").map(labelled).join(", "), isAmount = /^(start|step|target|every|m[ai][nx]imum)/.test(settings);
  if (after === undefined) return `${names} changed`;
  if (settings === "archived") return after === "1" ? "Archived" : "Back from the archive";
  return `${names} ${short(isAmount ? number(after) : settings === "group" ? groupTitle(after) : after) || "none"}`;
}

export function what(event) {
  const { kind, sign, change } = event, signed = (sign > 0 ? "+" : "") + number(change);
  if (kind === "armed") return "reset?";
  if (["added", "subtracted", "learned"].includes(kind)) return signed;
  if (kind === "noted") return event.after ? `noted: ${short(event.after)}` : "note removed";
  if (!sign) return event.settings ? changed(event) : kind;
  if (kind === "undone") return `undid ${sign > 0 ? number(`-${change}`) : `+${number(change.slice(1))}`}`;
  if (kind === "redone") return `redid ${signed}`;
  return ["stopped", "lapped", "renewed"].includes(kind) ? kind : `${kind} ${signed}`;
}

/// The words of the button that undoes an event: `Undo goal 20`.
export const undoName = event => `Undo ${what(event).replace(/^./, first => first.toLowerCase())}`;

/// The counter, group or formula of an event; empty for an event of all counters.
export const subjectOf = event => board.state?.counters.find(one => one.id === event.id)?.title || event.counter || (event.group && `group ${groupTitle(event.group)}`) || (event.formula && `formula ${event.formula}`) || "";

/// Whether an event is that of a whole day, as a table without times has them.
export const isOfDay = event => /^day \d/.test(event.gesture);

export function who(event) {
  const by = [event.gesture, event.device].filter(Boolean);
  return by.length ? by.join(" on ") : event.producer;
}
