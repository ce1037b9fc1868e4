// Elements of the page; texts are always text nodes.

export const main = document.getElementById("view");

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class") made.className = value; else made[key] = value;
  }
  made.append(...children);
  return made;
}

export const button = (textContent, onclick, more) => element("button", { textContent, onclick, ...more });

export function colour(item, made) {
  const own = item.colour?.startsWith("#") ? item.colour : "";
  made.style.setProperty("--accent", own);
  made.dataset.colour = own ? "" : item.colour ?? "";
  return made;
}

/// Opens a sheet over the page, which Escape closes.
export function sheet(title, ...children) {
  const close = button("Close", () => made.close());
  const made = element("dialog", { ariaLabel: title }, element("h2", { textContent: title }), ...children, close);
  // Beside the sheet is the dialog's own ground.
  made.addEventListener("click", event => { if (event.target === made) made.close(); });
  made.addEventListener("close", () => made.remove());
  document.body.append(made);
  made.showModal();
  return made;
}
