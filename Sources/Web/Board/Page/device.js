// The sheet with the settings of this device.

import { canStayAwake } from "./awake.js";
import { element } from "./elements.js";
import { change, linkWith, setting, sizes, switches, themes } from "./settings.js";
import { card, choice, field, onOff, sheet } from "./sheets.js";

export function showSettings() {
  const theme = choice(Object.entries(themes), { onchange: () => change("theme", theme.value) });
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
  const turn = (name, title, hint) => {
    const box = onOff();
    box.checked = setting(name);
    box.onchange = () => { change(name, box.checked ? "on" : "off"); tell(); };
    return field(title, hint, box);
  };
  theme.addEventListener("change", tell);
  tell();
  sheet("Settings of this device",
    card(field("Colours", "", theme), element("label", {}, element("span", {}, "Size of texts ", size), scale)),
    card(turn("flash", "Flash", "when a count is recorded"), turn("sound", "Sound", "when a count is recorded"),
      turn("vibration", "Vibration", "when a count is recorded")),
    card(turn("halves", "Halves", "the left half takes off, the right half adds")),
    ...canStayAwake() ? [] : [element("p", { class: "soft" }, "The screen sleeps between counts: only over HTTPS can the page keep it on.")],
    element("p", {}, link));
}
