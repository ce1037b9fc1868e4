// Elements of the page; texts are always text nodes.

import { sign } from "./icons.js";

export const byId = id => document.getElementById(id);
export const listen = (kind, act, more) => document.addEventListener(kind, act, more);
/// Whether a key is for the page: it is not one of the browser's, and is not typed into a field or a sheet.
export const isForPage = event => !event.ctrlKey && !event.altKey && !event.metaKey && !event.target.closest("input, textarea, select, dialog");
/// Tells the parts of the page what happened.
export const announce = kind => document.dispatchEvent(new Event(kind));
export const main = byId("view"), root = document.documentElement;
/// Gives the whole page a class or takes it away; returns whether it has it.
export const setClass = (name, isOn) => root.classList.toggle(name, isOn);

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class") made.className = value; else made[key] = value;
  }
  made.append(...children);
  return made;
}

/// - Parameter words: a text, or an element.
export const button = (words, onclick, more) => element("button", { onclick, ...more }, words);

/// A button with a sign; its words are for those who hear or speak them.
export const signed = (name, ariaLabel, onclick, more) => button(sign(name), onclick, { class: "icon", ariaLabel, title: ariaLabel, ...more });

/// The icon of a counter or a group in its tile. The board keeps pictures: their icon is a sign and a name. In the place of one
/// that cannot be drawn stands the first letter of the title.
export const chip = ({ icon = "", title = "" }) => element("span", { class: "chip", ariaHidden: "true" },
  /^🖼[0-9a-z]{1,13}$/.test(icon) ? element("img", { src: `/picture/${icon.slice(2)}`, alt: "", onerror: event => event.target.replaceWith([...title][0] ?? "") }) : icon);

/// A bar for how far a goal is, or how full a counter.
export const gauge = () => element("div", { class: "gauge" }, element("i"));
export function fill(bar, item) {
  const share = item.percent ?? (item.maximum === undefined ? null : 100 * Number(item.text) / Number(item.maximum));
  hide(bar, share === null || Number.isNaN(share));
  bar.classList.toggle("full", item.full === true);
  const width = `${Math.min(100, Math.max(0, share))}%`;
  if (bar.firstChild.style.width !== width) bar.firstChild.style.width = width;
}

/// Sets variables of the styles of an element.
export function vary({ style }, variables) { for (const [name, value] of Object.entries(variables)) style.setProperty(`--${name}`, value); }

/// Hides or shows an element. A browser computes styles anew even for the same value of `hidden`.
export const hide = (made, isHidden) => { if (made.hidden !== isHidden) made.hidden = isHidden; };

/// Writes a text if it is another one: a count then changes what belongs to it alone, and a screen reader says each sentence once.
export function put(made, text) { if (made.textContent !== text) made.textContent = text; }

/// Begins an animation anew, which a class gives. Only an animation whose class is still there costs a layout.
export function animate(made, name) {
  if (made.classList.contains(name)) {
    made.classList.remove(name);
    void made.offsetWidth;
  }
  made.classList.add(name);
}

/// The address of a view of a counter or a group.
export const address = (view, name) => `/${view}/${encodeURIComponent(name)}`;
