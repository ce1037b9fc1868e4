// The colour of a counter. It gives hue and chroma; the theme gives the lightness, so that every colour can be read.

import { root, vary } from "./elements.js";

/// The colours that a counter can have by name: hue and chroma in OKLCH.
const named = {
  red: [25, 0.19], orange: [52, 0.16], yellow: [92, 0.14], green: [152, 0.15], cyan: [205, 0.12], blue: [256, 0.17], purple: [300, 0.17],
  magenta: [328, 0.19], pink: [2, 0.17], brown: [58, 0.08], grey: [260, 0.015],
};
export const colours = Object.keys(named);

/// Hue and chroma of #rrggbb; white and black are grey paper.
function ofHex(text) {
  const match = /^#(..)(..)(..)$/.exec(text ?? "");
  if (!match) return null;
  const [r, g, b] = match.slice(1).map(one => {
    const part = parseInt(one, 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const l = Math.cbrt(0.4122 * r + 0.5363 * g + 0.0514 * b), m = Math.cbrt(0.2119 * r + 0.6807 * g + 0.1074 * b), s = Math.cbrt(0.0883 * r + 0.2817 * g + 0.63 * b);
  const x = 1.978 * l - 2.4286 * m + 0.4506 * s, y = 0.0259 * l + 0.7828 * m - 0.8087 * s;
  return [(Math.atan2(y, x) * 180 / Math.PI + 360) % 360, Math.min(0.19, Math.hypot(x, y))];
}

const isDark = matchMedia("(prefers-color-scheme: dark)");
let rootLook = "";

/// Tints an element, and all in it, in the colour of a counter or a group.
export function colour(item, made) {
  const [hue, chroma] = named[item?.colour] ?? ofHex(item?.colour) ?? [256, 0.05];
  made.classList.add("hue");
  vary(made, { h: hue.toFixed(1), c: chroma.toFixed(3) });
  if (made !== root) return made;
  const look = [hue, chroma, root.dataset.theme, isDark.matches].join(" ");
  // The bars of a phone's browser have the colour of the ground.
  if (look !== rootLook) document.querySelector("[name=theme-color]").content = getComputedStyle(document.body).backgroundColor;
  rootLook = look;
  return made;
}
