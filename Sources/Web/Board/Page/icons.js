// Signs of buttons, drawn with a pen of one width.

const paths = {
  rows: "M4 6h16M4 12h16M4 18h16", all: "M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h5v5h-5z", past: "M5 20v-7M12 20V5M19 20v-4", more: "M5 12h.01M12 12h.01M19 12h.01",
  undo: "M8 8h7a5 5 0 0 1 0 10H9M8 8l4-4M8 8l4 4", minus: "M5 12h14", plus: "M5 12h14M12 5v14", check: "M4 12.5l5 5L20 6.5",
  before: "M14.5 6l-6 6 6 6", after: "M9.5 6l6 6-6 6", play: "M8 5l11 7-11 7z", close: "M6 6l12 12M18 6L6 18", pen: "M5 19l1-4L16 5l3 3L9 18z", up: "M6 14.5l6-6 6 6", down: "M6 9.5l6 6 6-6",
};

/// An element of a drawing.
export function draw(name, properties = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export const sign = name => draw("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" },
  draw("path", { d: paths[name], ...name === "more" && { "stroke-width": 3 } }));
