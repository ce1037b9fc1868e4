// The board's page: follows the core's counts and shows them. The page says itself when they are old.

import { stayAwake } from "./awake.js";
import "./amount.js";
import { announce, byId, element, isForPage, listen, main, setClass } from "./elements.js";
import { isOwn } from "./events.js";
import "./gestures.js";
import { drawHints, showHints } from "./help.js";
import { sign } from "./icons.js";
import { openLater } from "./later.js";
import { acknowledge, drawOne, welcome } from "./one.js";
import { drawAll, markRow } from "./overview.js";
import { deliver, showWaiting } from "./queue.js";
import { board, isOverview, isPast, isWall, shown, subject, view } from "./state.js";
import { follow } from "./stream.js";
import { isTeaching } from "./tutorial.js";
import { drawWall, lightTile, onWall } from "./wall.js";

setClass("wall", isWall);
setClass("overview", isOverview);
byId("where").hidden = isOverview && subject === null;
setClass("whole", byId("where").hidden);
for (const [id, name] of [["where", "all"], ["past", "past"], ["more", "more"]]) byId(id).append(sign(name));
byId("menu").addEventListener("click", event => { if (event.target.closest("button")) byId("menu").hidePopover?.(); });

function drawPage(event) {
  if (!board.state || view === "pair") return;
  const several = onWall();
  if (isPast) openLater("drawPast"); else if (isOverview) drawAll(); else if (several) drawWall(several); else drawOne(event);
  // A count changes none of them.
  if (!event?.sign || isTeaching()) drawHints();
  takeLink();
}

/// Opens the set-up that is in the link of this page.
function takeLink() {
  const words = /^#set=([\w-]+)$/.exec(location.hash)?.[1];
  if (!words || !board.state) return;
  history.replaceState(null, "", location.pathname + location.search);
  openLater("takeSetup", words);
}
addEventListener("hashchange", takeLink);

// Rows and tiles of running stopwatches.
setInterval(() => { if ((isOverview || isWall) && board.state?.counters.some(one => one.since)) drawPage(); }, 1000);

byId("help").onclick = showHints;
listen("keydown", event => {
  if (event.key === "?" && isForPage(event)) showHints();
});
showWaiting();
listen("settings", () => drawPage());
if (view === "pair") openLater("pair");
else {
  main.replaceChildren(
    element("h1", { class: "loading" }, "Waiting for the counts …"));
  follow({
    changed(event) {
      drawPage(event);
      announce("changed");
      if (isWall && location.hash && (!event || event.settings)) openLater("drawSurface");
      if (!event) return;
      if (isOwn(event)) stayAwake();
      if (isOverview) markRow(event.id); else if (onWall()) lightTile(event.id); else if (isPast || event.id !== shown()?.id) return;
      acknowledge(event);
    },
    returned(before) { if (!isOverview && !isPast) welcome(before); },
    heard: deliver,
  });
}
