// A wall of several counters, or of a group: tiles that fill the screen.

import { element, main, root } from "./elements.js";
import { colour } from "./colours.js";
import { board, isWall, subject } from "./state.js";
import { light, tiles } from "./tiles.js";

const wallTiles = tiles();

/// The IDs of counters by the names in the address, once they are known: a counter keeps it when its name is changed.
const wallIDs = new Map();

/// The counters of the address: `A,B,C`, or the name of a group that no counter has. Null for a wall of one counter.
export function onWall() {
  const { counters, formulas, groups } = board.state, all = [...counters, ...formulas];
  if (!isWall || !subject || all.some(one => one.name === subject)) return null;
  if (groups.some(one => one.name === subject)) return all.filter(one => one.group === subject && !one.archived);
  return subject.includes(",") ? subject.split(",").map(name => {
    const item = all.find(one => wallIDs.has(name) ? one.id === wallIDs.get(name) : one.name === name);
    if (item) wallIDs.set(name, item.id);
    return item ?? { id: name, title: `There is no counter called “${name}”` };
  }) : null;
}

export function drawWall(items) {
  colour(board.state.groups.find(one => one.name === subject) ?? { colour: "grey" }, root);
  if (!wallTiles.made.isConnected) main.replaceChildren(element("h1", { class: "unseen" }, subject), wallTiles.made);
  document.title = subject;
  wallTiles.show(items);
}

export const lightTile = id => light(wallTiles.tile(id));

setInterval(() => {
  const items = board.state && onWall();
  if (items?.some(one => one.since)) drawWall(items);
}, 1000);

// Against burn-in: a wall drifts once a minute, by at most 24 px and no more than the margin of the longest number.
if (isWall) {
  setInterval(() => {
    const most = Math.min(24, innerWidth * 0.015), by = () => `${(Math.random() * 2 - 1) * most}px`;
    document.body.style.translate = `${by()} ${by()}`;
  }, 60_000);
}
