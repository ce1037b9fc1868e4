// Pairing: this device may count from now on.

import { button, element, main } from "./elements.js";
import { post } from "./queue.js";
import { formOf, text } from "./sheets.js";

export function pair() {
  const [code] = location.hash.slice(1).split(".");
  // A kiosk has no keyboard and nobody to press the button; its start page leads to this address, which no other machine reaches.
  const own = location.hostname === "127.0.0.1" && /^#[0-9a-f]{32}\.Kiosk$/.test(location.hash) ? "Kiosk" : null;
  // The code is not to stay in the address bar or in the history.
  history.replaceState(null, "", "/pair");
  const words = "Count with this device", name = text({ name: "name", maxLength: 40, value: own ?? guess(), required: true, placeholder: "", onfocus: () => name.select() });
  const said = element("p", { class: "full", role: "alert" });
  const made = formOf(async () => {
    const answer = await post("/pair", { code, name: name.value });
    if (answer.status === 200 || own && answer.status) location.replace("/");
    else said.textContent = answer.body.message;
  },
    element("h1", {}, words),
    element("p", {}, "The history will show what was counted here under this name."),
    element("label", {}, "Name of this device ", name), button(words, null, { class: "filled" }), said);
  made.className = "pair";
  main.replaceChildren(made);
  if (own) made.requestSubmit();
}

function guess() {
  // Android says before that it is a Linux.
  const system = ["Android", "iPhone", "iPad", "Windows", "Macintosh", "Linux"].find(one => navigator.userAgent.includes(one));
  return system === "Macintosh" ? "Mac" : system === "Linux" ? "Browser on Linux" : system ?? "Browser";
}
