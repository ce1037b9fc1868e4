// A set-up carried to another board: counters without their counts, as a link, a QR code or a file.

import { button, chip, element, put } from "./elements.js";
import { refuse, titled } from "./notices.js";
import { copied, download } from "./sharing.js";
import { buttonRow, card, postPatiently, sheet, status, undoing } from "./sheets.js";
import { board, everything, maySetUp } from "./state.js";

const carried = ["title", "icon", "colour", "note", "tags", "group", "step", "stepDown", "start", "minimum", "maximum", "limits", "target", "every", "period", "formula"];
/// The longest link that a request for its QR code can hold, the most counters that are taken over, and the longest text of them.
const longestLink = 1900, mostCarried = 200, longestText = 262_144;

const settingsOf = one => Object.fromEntries(carried.filter(field => one[field] !== undefined).map(field => [field, String(one[field])]));

/// The settings of all counters and formulas that are not archived, as text.
function setupText() {
  const list = everything().filter(one => !one.archived).map(({ name, decimals, stopwatch, ...one }) =>
    ({ name, decimals, stopwatch, ...settingsOf(one) }));
  return JSON.stringify({ tallymark: 1, counters: list });
}

const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();
async function packed(text) {
  const bytes = new Uint8Array(await through(text, new CompressionStream("deflate-raw")));
  return btoa(Array.from(bytes, one => String.fromCharCode(one)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), one => one.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream()).getReader();
  // A short link can hold much that is no set-up.
  for (let found = ""; found.length < longestText;) {
    const { done, value } = await reader.read();
    if (done) return found;
    found += value;
  }
  return "";
}

export async function shareSetup() {
  const text = setupText(), link = `${location.origin}/all#set=${await packed(text)}`, said = status();
  const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  const field = element("input", { value: link, readOnly: true, ariaLabel: "The link", onfocus: () => field.select() });
  sheet("Share all counters", element("p", {}, "Counters, groups and formulas, without their counts. Another board takes them over, on a device that may set up."),
    link.length > longestLink ? element("p", { class: "soft" }, "They are too many for a QR code. The link and the file hold all of them.")
      : element("img", { class: "qr", src: `/qr.svg?text=${encodeURIComponent(link)}`, alt: "QR code of the link" }),
    card(element("label", {}, element("span", {}, "Link"), field)),
    ...isHere ? [element("p", { class: "full" }, "Only this machine can open this link. Open the page by the machine's address to share one with others.")] : [],
    element("p", { class: "acts-of" }, button("Copy the link", async () => put(said, await copied(link, said) ? "Copied." : "Copy the link in the field.")), button("Save a file", () => download("set-up.json", "application/json", text)),
      ...navigator.share ? [button("Share …", () => navigator.share({ url: link }).catch(() => {}))] : []), said);
}

/// Takes over a set-up from a file.
export async function takeFile(file) { takeText(await file.text()); }

/// Takes over a set-up from a link.
export async function takeSetup(words) { takeText(await unpacked(words).catch(() => "")); }

/// The counters of a set-up; null for any other text.
function countersOf(text) {
  try {
    const { tallymark, counters } = JSON.parse(text), isText = one => one === undefined || typeof one === "string";
    const isValid = one => typeof one.name === "string" && carried.every(field => isText(one[field]));
    return tallymark === 1 && counters.length <= mostCarried && counters.every(isValid) ? counters : null;
  } catch { return null; }
}

/// Whether a counter or formula has a name.
export const isTaken = name => everything().some(one => one.name === name);

const taking = (...parts) => sheet("Take counters over", ...parts);

function takeText(text) {
  const found = countersOf(text), said = status();
  if (!found?.length) return taking(element("p", {}, "This is no file or link of counters, or only a part of one. Copy the whole link, or choose another file."));
  if (!maySetUp()) return taking(element("p", {}, "This device may not set up. Pair it on the machine with: ", element("code", {}, "tally-board pair --setup")));
  // Formulas mention counters.
  const fresh = found.filter(one => !isTaken(one.name)).sort((one, other) => Boolean(one.formula) - Boolean(other.formula));
  const row = one => {
    const made = buttonRow(one.title ?? one.name, isTaken(one.name) ? "is here already, and stays as it is" : one.group ?? "");
    made.prepend(chip(one));
    return made;
  };
  const act = button(`Make ${fresh.length}`, async () => {
    act.disabled = true;
    const done = [];
    // A formula that is refused may mention a later one.
    for (let waiting = [...fresh], refused = 0; waiting.length;) {
      const next = waiting.shift(), { name, decimals, stopwatch, ...rest } = next;
      const { status, body } = await postPatiently("/setup", { do: rest.formula ? "compute" : "create", name, ...rest.formula ? {} : { decimals, stopwatch }, settings: settingsOf(rest) });
      if (status !== 200 && rest.formula && refused < waiting.length) {
        waiting.push(next);
        refused += 1;
        continue;
      }
      if (status !== 200) {
        said.replaceChildren(`${rest.title ?? name}: ${titled(body.message)}`);
        said.classList.add("full");
        break;
      }
      done.push(body.sequence);
      refused = 0;
    }
    act.hidden = true;
    if (!done.length) return;
    said.append(` ${done.length} made. `, undoing("all that were made", done, refusal => refusal ? refuse(refusal) : put(said, "Undone.")));
  }, { class: "filled", disabled: !fresh.length });
  taking(card(...found.map(row)), element("p", { class: "acts-of" }, act), said).classList.add("set");
}
