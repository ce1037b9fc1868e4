// Several counters as a message: chosen in the overview, they leave as text, by mail or as a table.

import { button, element, put } from "./elements.js";
import { sheet } from "./sheets.js";
import { shown } from "./state.js";
import { reading, units, value } from "./texts.js";

/// What is chosen, as the page shows it.
let chosenItems = [];

const shareSaid = element("span", { role: "status" });
const mail = element("a", { class: "button" }, "Mail");
export const shareBar = element("div", { class: "bar", hidden: true }, shareSaid,
  ...navigator.share ? [button("Share", () => navigator.share({ text: message() }).catch(() => {}))] : [],
  button("Copy", async () => put(shareSaid, await copied(message(), shareBar) ? "Copied" : "The browser does not copy")), mail, button("CSV", save));

/// The lines of `tally report`.
const message = () => chosenItems.map(one => `${value(one)} ${one.title}`).join("\n");

/// Draws the bar.
///
/// - Parameter items: the counters that are chosen; null while rows lead to their counters.
export function sharing(items) {
  chosenItems = items ?? [];
  shareBar.hidden = items === null;
  shareSaid.textContent = chosenItems.length ? `${chosenItems.length} selected` : "Select counters to share";
  for (const one of shareBar.children) if (one !== shareSaid) one.hidden = !chosenItems.length;
  mail.href = `mailto:?subject=${encodeURIComponent(chosenItems.map(one => one.title).slice(0, 3).join(", "))}&body=${encodeURIComponent(message())}`;
}

/// Shares the counter that is shown.
export function shareCounter() {
  sharing([shown()]);
  shareSaid.textContent = message();
  sheet(shown, shareBar);
}

/// Copies a text; returns whether the browser does so. Without HTTPS a page can copy only selected text.
///
/// - Parameter place: a part of the open sheet, since nothing outside of it can be selected.
export async function copied(text, place) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = element("textarea", { value: text });
    place.append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    return isCopied;
  }
}

/// Rows as CSV. A quote keeps spreadsheets from running a text as a formula.
function tableText(rows) {
  const safe = text => /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  const quoted = text => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return rows.map(one => `${one.map(safe).map(quoted).join(",")}\r\n`).join("");
}

/// Saves a file.
export function download(name, type, text) {
  const link = element("a", { download: name, href: URL.createObjectURL(new Blob([text], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/// Saves rows as a table for a spreadsheet.
export const saveRows = (name, rows) => download(`${name}.csv`, "text/csv", tableText(rows));

/// Saves the selection in the columns of `tally export --csv`.
function save() {
  const records = chosenItems.map(one => [one.name, one.title,
    one.stopwatch ? units(reading(one), 6) : one.text ?? "", one.stopwatch ? "s" : "", one.group ?? ""]);
  saveRows("counts", [["name", "title", "value", "unit", "group"], ...records]);
}
