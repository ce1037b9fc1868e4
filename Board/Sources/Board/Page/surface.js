// The zones and gestures of a touchscreen that the gesture daemon counts with. A kiosk's start page puts them behind #.

import { element } from "./elements.js";
import { isWall } from "./state.js";

/// Draws them over the wall. They are words only: a page counts by its pairing alone, whatever stands in its address.
export function drawSurface() {
  if (!isWall || !location.hash) return;
  const zones = new Map();
  try {
    for (const one of JSON.parse(decodeURIComponent(location.hash.slice(1))).gestures) {
      const key = String(one.zone ?? "");
      zones.set(key, [...zones.get(key) ?? [], element("span", { textContent: `${one.gesture}: ${one.do}` })]);
    }
    // Of anything else nothing is drawn.
  } catch {}
  const surface = element("aside", { ariaLabel: "Gestures" });
  for (const [key, words] of zones) {
    const made = element("p", { class: "zone" }, ...words), sides = key.split(",");
    if (key) ["left", "top", "right", "bottom"].forEach((side, place) => {
      made.style.setProperty(side, `${100 * (place < 2 ? sides[place] : 1 - sides[place])}%`);
    });
    surface.append(made);
  }
  document.body.append(surface);
}
