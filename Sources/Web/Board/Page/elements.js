// Elements of the page; texts are always text nodes.

import { sign } from "./icons.js";

export const byId = id => document.getElementById(id);
export const listen = (kind, act, more) => document.addEventListener(kind, act, more);
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

export const button = (textContent, onclick, more) => element("button", { textContent, onclick, ...more });

/// A button with a sign; its words are for those who hear or speak them.
export function signed(name, ariaLabel, onclick, more) {
  const made = element("button", { class: "icon", ariaLabel, title: ariaLabel, onclick, ...more });
  made.append(sign(name));
  return made;
}

/// The icon of a counter or a group in its tile. The board keeps pictures: their icon is a sign and a name.
export const chip = ({ icon = "" }) => element("span", { class: "chip", ariaHidden: "true" },
  /^🖼[0-9a-z]{1,13}$/.test(icon) ? element("img", { src: `/picture/${icon.slice(2)}`, alt: "" }) : icon);

/// A bar for how far a goal is, or how full a counter.
export const gauge = () => element("div", { class: "gauge" }, element("i"));
export function fill(bar, item) {
  const share = item.percent ?? (item.maximum === undefined ? null : 100 * Number(item.text) / Number(item.maximum));
  hide(bar, share === null || Number.isNaN(share));
  bar.classList.toggle("full", item.full === true);
  const width = `${Math.min(100, Math.max(0, share))}%`;
  if (bar.firstChild.style.width !== width) bar.firstChild.style.width = width;
}

/// Hides or shows an element. A browser computes styles anew even for the same value of `hidden`.
export const hide = (made, isHidden) => { if (made.hidden !== isHidden) made.hidden = isHidden; };

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
