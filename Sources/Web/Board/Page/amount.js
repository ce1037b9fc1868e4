// The way to the keypad: a button in the menu, and the keys of digits.

import { button, byId, isForPage, listen } from "./elements.js";
import { openLater } from "./later.js";
import { board, isOverview, isPast, isWall, shown } from "./state.js";

/// Whether this device may count amounts of the counter that is shown.
const canEnter = () => {
  const item = board.me && board.state && !isOverview && !isPast && !isWall ? shown() : null;
  return Boolean(item && !item.formula && !item.stopwatch && !item.locked);
};

const amountButton = button("Amount …", () => openLater("openKeypad"), { hidden: true });
byId("menu").prepend(amountButton);
byId("menu").addEventListener("beforetoggle", () => { amountButton.hidden = !canEnter(); });

/// The digits that are typed until the keypad is there.
let typedDigits = "";
listen("keydown", event => {
  if (!/^\d$/.test(event.key) || !isForPage(event) || !canEnter()) return;
  event.preventDefault();
  typedDigits += event.key;
  openLater("openKeypad", typedDigits).then(() => { typedDigits = ""; });
});
