// Settings of this device. They apply at once; those in the link come before those that the browser keeps.

import { announce, byId, isForPage, listen, root, setClass, vary } from "./elements.js";
import { openLater } from "./later.js";
import { isWall, query } from "./state.js";
import { store } from "./store.js";

export const themes = { system: "as the system", light: "light", dark: "dark", contrast: "high contrast" };
export const sizes = { least: 50, most: 300 };
/// The settings that are on or off, with their default.
export const switches = { flash: true, sound: false, vibration: true, halves: false, tiles: false, keys: true };

// Someone who speaks to the browser, or hits keys by mistake, turns the keys of one letter, digit or mark off (WCAG 2.1.4).
listen("keydown", event => {
  if (!setting("keys") && /^\S$/u.test(event.key) && isForPage(event)) event.stopImmediatePropagation();
}, { capture: true });

export function setting(name) {
  const text = query.get(name) ?? store.get(`setting ${name}`);
  if (name === "theme") return text in themes ? text : "system";
  if (name === "scale") return Math.min(sizes.most, Math.max(sizes.least, Number(text) || 100));
  return text === null ? switches[name] : text === "on";
}

let flashedAt = -Infinity;
/// Whether a count may flash: no more than three do so in a second (WCAG 2.3.1).
export function mayFlash() {
  const now = performance.now(), isFree = setting("flash") && now - flashedAt > 333;
  if (isFree) flashedAt = now;
  return isFree;
}

export function change(name, text) {
  store.set(`setting ${name}`, text);
  if (query.has(name)) {
    query.delete(name);
    history.replaceState(null, "", linkWith(query) + location.hash);
  }
  applySettings();
}

export const linkWith = words => location.pathname + (words.size ? `?${words}` : "");

byId("settings").onclick = () => openLater("showSettings");
// Another page of this device changed them.
addEventListener("storage", event => { if (event.key?.startsWith("setting ")) applySettings(); });

function applySettings() {
  const { dataset } = root, theme = setting("theme");
  if (theme === "system") delete dataset.theme; else dataset.theme = theme;
  vary(root, { scale: setting("scale") / 100 });
  layOut();
  announce("settings");
}

/// On a wide screen the list and the day stand beside the sheet, unless texts are so large that they would leave no room.
const wideScreen = matchMedia("(min-width: 1100px)");
function layOut() {
  const isWide = wideScreen.matches && setting("scale") <= 130 && !isWall;
  if (setClass("wide", isWide) !== wasWide) announce("layout");
  wasWide = isWide;
}
let wasWide = null;
wideScreen.onchange = layOut;
applySettings();
