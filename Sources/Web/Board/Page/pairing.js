// Pairing: this device may count from now on.

import { button, element, main } from "./elements.js";
import { post } from "./queue.js";

export function pair() {
  const [code] = location.hash.slice(1).split(".");
  // A kiosk has no keyboard and nobody to press the button; its start page leads to this address, which no other machine reaches.
  const own = location.hostname === "127.0.0.1" && /^#[0-9a-f]{32}\.Kiosk$/.test(location.hash) ? "Kiosk" : null;
  // The code is not to stay in the address bar or in the history.
  history.replaceState(null, "", "/pair");
  const name = element("input", { name: "name", maxLength: 40, value: own ?? guess(), required: true, autocomplete: "off", onfocus: () => name.select() });
  const said = element("p", { class: "full", role: "alert" });
  const form = element("form", { class: "pair" },
    element("h1", {}, "Count with this device"),
    element("p", {}, "The history will show what was counted here under this name."),
    element("label", {}, "Name of this device ", name), button("Count with this device", null, { class: "filled" }), said);
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const answer = await post("/pair", { code, name: name.value });
    if (answer.status === 200 || own && answer.status) location.replace("/");
    else said.textContent = answer.body.message;
  });
  main.replaceChildren(form);
  if (own) form.requestSubmit();
}

function guess() {
  // Android says before that it is a Linux.
  const system = ["Android", "iPhone", "iPad", "Windows", "Macintosh", "Linux"].find(one => navigator.userAgent.includes(one));
  return system === "Macintosh" ? "Mac" : system === "Linux" ? "Browser on Linux" : system ?? "Browser";
}
