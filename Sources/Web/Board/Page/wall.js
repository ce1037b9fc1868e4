// A wall of several counters, or of a group: tiles that fill the screen.

import { element, main, root } from "./elements.js";
import { colour } from "./colours.js";
import { board, everything, isOfOne, isWall, ownGroup, readdress, subject } from "./state.js";
import { light, tiles } from "./tiles.js";

const wallTiles = tiles();

/// The IDs of the counters in the address, once they are known: a counter keeps it when its name is changed.
const wallIDs = [];

/// The counters of the address: `A,B,C`, or the name of a group that no counter has. Null for a wall of one counter.
export function onWall() {
  if (!isWall || !subject || isOfOne()) return null;
  const all = everything();
  if (ownGroup()) return all.filter(one => one.group === subject && !one.archived);
  if (!subject.includes(",")) return null;
  const items = subject.split(",").map((name, place) => {
    const id = wallIDs[place] ??= all.find(one => one.name === name)?.id;
    return all.find(one => one.id === id) ?? { id: name, name, title: id ? `“${name}” is deleted` : `There is no counter called “${name}”` };
  }), names = `${items.map(one => one.name)}`;
  if (names !== subject) readdress(names);
  return items;
}

export function drawWall(items) {
  colour(ownGroup() ?? { colour: "grey" }, root);
  if (!wallTiles.made.isConnected) main.replaceChildren(element("h1", { class: "unseen" }, subject), wallTiles.made);
  document.title = subject;
  wallTiles.show(items);
}

export const lightTile = id => light(wallTiles.tile(id));

// Against burn-in: a wall drifts once a minute, by at most 24 px and no more than the margin of the longest number.
if (isWall) {
  setInterval(() => {
    const most = Math.min(24, innerWidth * 0.015), by = () => `${(Math.random() * 2 - 1) * most}px`;
    document.body.style.translate = `${by()} ${by()}`;
  }, 60_000);
}
