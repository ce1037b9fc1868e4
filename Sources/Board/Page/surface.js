// The zones and gestures of a touchscreen that the gesture daemon counts with. A kiosk's start page puts them behind #.

import { element } from "./elements.js";
import { isWall } from "./state.js";

const isZone = zone => zone === null || Array.isArray(zone) && zone.length === 4 && zone.every(side => side >= 0 && side <= 1);

/// Draws them over the wall, and nothing of what has not their form. They are words only: a page counts by its pairing alone, whatever stands in its address.
export function drawSurface() {
  if (!isWall || !location.hash) return;
  const zones = new Map();
  try {
    for (const one of JSON.parse(decodeURIComponent(location.hash.slice(1))).gestures) {
      if (typeof one.gesture !== "string" || typeof one.do !== "string" || !isZone(one.zone ?? null)) continue;
      const key = String(one.zone ?? "");
      zones.set(key, [...zones.get(key) ?? [], element("span", {}, `${one.gesture}: ${one.do}`)]);
    }
  } catch {}
  const surface = element("aside", { ariaLabel: "Gestures" });
  for (const [key, words] of zones) {
    const made = element("p", { class: "zone" }, ...words), sides = key.split(",");
    if (key) ["left", "top", "right", "bottom"].forEach((side, place) => {
      made.style[side] = `${100 * (place < 2 ? sides[place] : 1 - sides[place])}%`;
    });
    surface.append(made);
  }
  document.body.append(surface);
}
