// Elements of the page; texts are always text nodes.

export const byId = id => document.getElementById(id);
export const main = byId("view"), root = document.documentElement;

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class") made.className = value; else made[key] = value;
  }
  made.append(...children);
  return made;
}

export const button = (textContent, onclick, more) => element("button", { textContent, onclick, ...more });

/// The colours that a counter can have by name, readable on either ground.
export const colours = {
  red: "#d93036", orange: "#d2691e", yellow: "#b58a00", green: "#1f8f4d", cyan: "#118a9c", blue: "#2f73e0", purple: "#8455d6",
  magenta: "#c23aa8", pink: "#d9578c", brown: "#9a6a3c", grey: "#7a828f",
};

export function colour(item, made) {
  made.style.setProperty("--accent", colours[item.colour] ?? item.colour ?? "");
  return made;
}

/// The address of a view of a counter or a group.
export const address = (view, name) => `/${view}/${encodeURIComponent(name)}`;

/// Begins an animation anew, which a class gives.
export function animate(made, name) {
  made.classList.remove(name);
  void made.offsetWidth;
  made.classList.add(name);
}

/// Opens a sheet over the page, which Escape closes.
export function sheet(title, ...children) {
  const close = button("Close", () => made.close());
  const made = element("dialog", { ariaLabel: title }, element("h2", {}, title), ...children, close);
  // Beside the sheet is the dialog's own ground.
  made.addEventListener("click", event => { if (event.target === made) made.close(); });
  made.addEventListener("close", () => made.remove());
  document.body.append(made);
  made.showModal();
  return made;
}
