// Settings of this device. They apply at once; those in the link come before those that the browser keeps.

import { byId, element, root, sheet } from "./elements.js";
import { isWall, query } from "./state.js";
import { store } from "./store.js";

const themes = { system: "as the system", light: "light", dark: "dark", contrast: "high contrast" };
const sizes = { least: 50, most: 300 };
/// The settings that are on or off, with their default.
const switches = { flash: true, sound: false, vibration: true, halves: false, tiles: false };

export function setting(name) {
  const text = query.get(name) ?? store.get(`setting ${name}`);
  if (name === "theme") return text in themes ? text : "system";
  if (name === "scale") return Math.min(sizes.most, Math.max(sizes.least, Number(text) || 100));
  return text === null ? switches[name] : text === "on";
}

export function change(name, text) {
  store.set(`setting ${name}`, text);
  if (query.has(name)) {
    query.delete(name);
    history.replaceState(null, "", linkWith(query) + location.hash);
  }
  apply();
}

const linkWith = words => location.pathname + (words.size ? `?${words}` : "");

let redraw = () => {};

/// Applies the settings, now and whenever they change.
///
/// - Parameter act: draws the page again.
export function applySettings(act) {
  redraw = act;
  byId("settings").onclick = showSettings;
  // Another page of this device changed them.
  addEventListener("storage", event => { if (event.key?.startsWith("setting ")) apply(); });
  apply();
}

function apply() {
  const { dataset, style } = root, theme = setting("theme");
  if (theme === "system") delete dataset.theme; else dataset.theme = theme;
  style.setProperty("--scale", setting("scale") / 100);
  layOut();
  redraw();
}

/// On a wide screen the list and the day stand beside the sheet, unless texts are so large that they would leave no room.
const wideScreen = matchMedia("(min-width: 1100px)");
function layOut() {
  const isWide = wideScreen.matches && setting("scale") <= 130 && !isWall;
  if (root.classList.toggle("wide", isWide) !== wasWide) document.dispatchEvent(new Event("layout"));
  wasWide = isWide;
}
let wasWide = null;
wideScreen.onchange = layOut;

function showSettings() {
  const theme = element("select", { onchange: () => change("theme", theme.value) },
    ...Object.entries(themes).map(([value, textContent]) => element("option", { value, textContent })));
  theme.value = setting("theme");
  const size = element("output"), scale = element("input", { type: "range", min: sizes.least, max: sizes.most, step: 10 });
  scale.value = setting("scale");
  scale.oninput = () => { change("scale", scale.value); tell(); };
  const link = element("a", {}, "Link with these settings");
  const tell = () => {
    size.textContent = `${setting("scale")} %`;
    const words = new URLSearchParams([...Object.keys(switches).map(name => [name, setting(name) ? "on" : "off"]),
      ["theme", setting("theme")], ["scale", setting("scale")]]);
    link.href = linkWith(words);
  };
  const onOff = (name, title) => {
    const box = element("input", { type: "checkbox", checked: setting(name) });
    box.onchange = () => { change(name, box.checked ? "on" : "off"); tell(); };
    return element("label", {}, box, title);
  };
  theme.addEventListener("change", tell);
  tell();
  sheet("Settings of this device",
    element("label", {}, element("span", {}, "Colours"), theme),
    element("label", {}, element("span", {}, "Size of texts ", size), scale),
    onOff("flash", "Flash when a count is recorded"), onOff("sound", "Sound when a count is recorded"),
    onOff("vibration", "Vibrate when a count is recorded"), onOff("halves", "Left half takes off, right half adds"),
    element("p", {}, link));
}
