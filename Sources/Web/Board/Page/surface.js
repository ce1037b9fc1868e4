// The zones and gestures of a touchscreen that the gesture daemon counts with. A kiosk's start page puts them behind #.

import { element } from "./elements.js";
import { board } from "./state.js";
import { number } from "./texts.js";

const isZone = zone => zone === null || Array.isArray(zone) && zone.length === 4 && zone.every(side => side >= 0 && side <= 1);

/// An action as a person reads it, with titles instead of names: `add people 2` is `+2 People at the door`.
function plain(action) {
  const [verb, ...rest] = action.split(" "), sign = { add: "+", subtract: "−" }[verb], isGroup = rest[0] === "--group";
  const amount = sign && rest.find(word => /^[\d.]+$/.test(word)), name = rest.find(word => word !== amount && word !== "--group");
  const titles = (isGroup ? board.state?.groups : board.state?.counters) ?? [];
  const title = name === "--all" ? "all" : titles.find(one => one.name === name)?.title ?? name;
  return [sign ? sign + (amount ? number(amount) : "") : verb, title].filter(Boolean).join(" ");
}

let drawn = null;

/// Draws them over the wall, and nothing of what has not their form. They are words only: a page counts by its pairing alone, whatever stands in its address.
export function drawSurface() {
  drawn?.remove();
  const zones = new Map();
  try {
    for (const one of JSON.parse(decodeURIComponent(location.hash.slice(1))).gestures) {
      if (typeof one.gesture !== "string" || typeof one.do !== "string" || !isZone(one.zone ?? null)) continue;
      const key = String(one.zone ?? "");
      zones.set(key, [...zones.get(key) ?? [], element("span", {}, `${one.gesture}: ${one.do.split(", ").map(plain).join(", ")}`)]);
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
  drawn = surface;
  document.body.append(surface);
}
