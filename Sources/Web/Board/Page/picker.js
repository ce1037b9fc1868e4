// Pickers of a counter's looks: an icon out of fifty, or any other, and a colour, all in sight.

import { colour, colours } from "./colours.js";
import { button, element } from "./elements.js";

const fifty = ("🧍 👥 👶 🧒 👧 👦 🧓 🐕 🐈 🐦 🐟 🐝 🌳 🌷 🍎 🍐 🍞 🥚 🥛 ☕ 🍺 🍷 💧 💊 🚪 🎟️ 🛒 📦 🚗 🚲 🚌 🚶 🏃 🏊 🏋️ ⚽ 🎾 🎯 🏁 ⏱️"
  + " 📞 ✉️ 📄 📚 🎵 💬 💡 ⭐ ❤️ ✅").split(" ");

/// The fifty icons, behind some of them.
///
/// - Parameters:
///   - save: sets an icon.
///   - preview: shows an icon as long as a finger or the mouse is on it; without one the present icon.
///   - others: fields for any other icon.
export function iconPicker(save, preview, ...others) {
  const grid = element("div", { class: "icons" }, ...fifty.map(one => button(one, () => {
    made.open = false;
    // The button that had the keyboard is not seen any more.
    summary.focus();
    save(one);
  }, { type: "button" })));
  grid.onpointerover = event => preview(event.target.closest("button")?.textContent);
  grid.onpointerleave = () => preview();
  const summary = element("summary", {}, element("span", {}, "Icon"), element("i", { ariaHidden: "true" }, fifty.slice(14, 16).join(""), "🧍🚪🎟️"));
  const made = element("details", {}, summary, grid, ...others);
  return made;
}

/// The colours as spots, of which one is chosen, and a spot for any other.
///
/// - Parameters:
///   - read: returns the present colour.
///   - save: sets another one; "" for none.
/// - Returns: the element, and a function that shows the present colour.
export function palette(read, save) {
  const own = element("input", { type: "color", ariaLabel: "Another colour", title: "Another colour", onchange: () => save(own.value) });
  const spots = ["", ...colours].map(value => {
    const spot = element("input", { type: "radio", name: "colour", value, ariaLabel: value || "no colour", title: value || "no colour", onchange: () => save(value) });
    return value ? colour({ colour: value }, spot) : spot;
  });
  const show = () => {
    const now = read() ?? "";
    for (const one of spots) one.checked = one.value === now;
    own.classList.toggle("on", now.startsWith("#"));
    own.value = now.startsWith("#") ? now : "#808080";
  };
  return [element("fieldset", { class: "spots" }, element("legend", { class: "unseen" }, "Colour"), ...spots, own), show];
}
