// The sheet with the settings of this device.

import { canStayAwake } from "./awake.js";
import { shareSetup, takeFile } from "./carrying.js";
import { button, element } from "./elements.js";
import { change, linkWith, setting, sizes, switches, themes } from "./settings.js";
import { buttonRow, card, choice, field, onOff, sheet } from "./sheets.js";
import { board, maySetUp } from "./state.js";

/// The command that lets another device count, or this one.
function pairing() {
  const words = board.me ? "On the machine of the board, this command shows an address and a QR code for a phone or another browser: " : board.why;
  const more = ["; for one that may also make and change counters: ", element("code", {}, "tally-board pair --setup")];
  return [element("h3", {}, board.me ? "Count with another device" : "Count with this device"),
    element("p", {}, words, ...board.me ? [element("code", {}, "tally-board pair"), ...more] : [])];
}

/// Gives the set-up of all counters to another board, and takes one over from a file.
function carrying() {
  const file = element("input", { type: "file", accept: ".json,application/json", hidden: true, onchange: () => takeFile(file.files[0]) });
  return card(buttonRow("Share all counters", "without their counts, by a link, a QR code or a file", button("Share …", shareSetup)),
    ...maySetUp() ? [buttonRow("Take counters over", "from a file of another board; a link opens by itself", file, button("Open …", () => file.click()))] : []);
}

export function showSettings() {
  const theme = choice(Object.entries(themes), { onchange: () => set("theme", theme.value) });
  theme.value = setting("theme");
  const size = element("output"), scale = element("input", { type: "range", min: sizes.least, max: sizes.most, step: 10 });
  scale.value = setting("scale");
  scale.oninput = () => set("scale", scale.value);
  const link = element("a", {}, "Link with these settings");
  const tell = () => {
    size.textContent = `${setting("scale")} %`;
    const words = new URLSearchParams([...Object.keys(switches).map(name => [name, setting(name) ? "on" : "off"]),
      ["theme", setting("theme")], ["scale", setting("scale")]]);
    link.href = linkWith(words);
  };
  const set = (name, text) => {
    change(name, text);
    tell();
  };
  const turn = (name, title, hint) => {
    const box = onOff();
    box.checked = setting(name);
    box.onchange = () => set(name, box.checked ? "on" : "off");
    return field(title, hint, box);
  };
  tell();
  sheet("Settings",
    element("h3", {}, "This device"),
    card(field("Colours", "", theme), element("label", {}, element("span", {}, "Size of texts ", size), scale)),
    card(turn("flash", "Flash", "when a count is recorded"), turn("sound", "Sound", "when a count is recorded"),
      turn("vibration", "Vibration", "when a count is recorded")),
    card(turn("halves", "Left half takes off", "of a counter; the right half adds"),
      turn("keys", "Character keys", "such as u, +, − and the digits; arrows, space and Enter stay")),
    ...canStayAwake() ? [] : [element("p", { class: "soft" }, "The screen sleeps between counts: only over HTTPS can the page keep it on.")],
    element("p", {}, link),
    ...pairing(), ...board.state ? [element("h3", {}, "All counters"), carrying()] : [], element("p", { class: "soft" }, `Tallymark ${board.state?.version ?? ""}`));
}
