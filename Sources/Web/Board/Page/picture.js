// A picture of a person's own as an icon. The browser makes it small, and the board keeps it.

import { button, element } from "./elements.js";
import { ask } from "./queue.js";
import { buttonRow } from "./sheets.js";

/// The width and height of a kept picture: enough for a large tile.
const pixels = 96;
/// The maximum length of a file, in bytes; a browser needs many times as much memory for it.
const heaviest = 50e6;

/// The middle of a picture as a small square; null if the browser cannot read the file.
async function reduced(file) {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  const { width, height } = picture, least = Math.min(width, height), canvas = element("canvas", { width: pixels, height: pixels });
  canvas.getContext("2d").drawImage(picture, (width - least) / 2, (height - least) / 2, least, least, 0, 0, pixels, pixels);
  picture.close();
  for (const type of ["image/webp", "image/jpeg"]) {
    const made = await new Promise(resolve => canvas.toBlob(resolve, type, .8));
    // A browser that cannot write a format writes another one.
    if (made?.type === type) return made;
  }
  return null;
}

/// Has the board keep a picture; returns the answer.
async function keep(file) {
  if (file.size > heaviest) return { message: "This picture is too large: it has more than 50 MB. Choose a smaller one." };
  const body = await reduced(file);
  if (!body) return { message: "The browser cannot read this file as a picture. Choose a photo, or a PNG, JPEG or WebP file." };
  return (await ask("/picture", { method: "POST", headers: { "Content-Type": body.type }, body })).body;
}

/// A row that takes a picture, and the file's field, which nobody sees.
///
/// - Parameters:
///   - save: sets the icon of the picture.
///   - refuse: says why there is none.
export function pictureRow(save, refuse) {
  const field = element("input", { type: "file", accept: "image/*", hidden: true, onchange: async () => {
    const { icon, message } = await keep(field.files[0]);
    field.value = "";
    if (icon) save(icon); else refuse(message);
  } });
  return [buttonRow("Picture", "a photo's middle, made small", button("Choose", () => field.click(), { ariaLabel: "Choose a picture", type: "button" })), field];
}
