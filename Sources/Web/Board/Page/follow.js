// Words beside the edge that a finger moves to: what it does there if it is lifted.

import { chip, element, hide } from "./elements.js";
import { colour } from "./colours.js";
import { maySetUp } from "./state.js";
import { number } from "./texts.js";

const followed = element("p", { id: "follow", ariaHidden: "true", hidden: true });
document.body.append(followed);
let followedAct = null;

export function hideMeant() {
  hide(followed, true);
  followedAct = null;
}

/// - Parameters:
///   - act: "tap", "up", "down", "before", "after", "all", or null for a stroke that does nothing.
///   - neighbour: the counter or the group beside this one, on a side.
export function showMeant(act, item, neighbour) {
  if (act === followedAct) return;
  followedAct = act;
  const other = act === "before" ? neighbour(-1) : act === "after" ? neighbour(1) : null;
  const words = { up: maySetUp() ? "Edit" : "Settings", down: `−${number(item?.stepDown ?? item?.step)}`, all: "All counters" }[act];
  hide(followed, !other && !words);
  if (followed.hidden) return;
  followed.className = `to-${act}`;
  colour(other ?? item, followed);
  followed.replaceChildren(...other ? [chip(other), other.title] : [words ?? ""]);
}
