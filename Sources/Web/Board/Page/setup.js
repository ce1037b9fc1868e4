// Setting up: a device with the right for it makes counters and changes them. Each change is made at once.

import { isTaken } from "./carrying.js";
import { address, button, chip, element, listen, put, signed } from "./elements.js";
import { titled } from "./notices.js";
import { iconPicker, palette } from "./picker.js";
import { pictureRow } from "./picture.js";
import { post } from "./queue.js";
import { buttonRow, card, choice, field, formOf, onOff, sheet, status, text, undoing } from "./sheets.js";
import { board, everything, glyph, groupTitle, isOverview, ownGroup, shown } from "./state.js";
import { labelled, number, time, typed, what, who } from "./texts.js";

/// The element with the sheet's last message and its Undo button; null without a sheet.
let said = null;
/// Each shows the current setting in a field of the open sheet.
let fields = [];

// Shows changed settings in the open sheet, except in the field that somebody is writing in.
listen("changed", () => { for (const show of fields) show(); });

/// Sends one change; returns the answer if it is made, else null.
async function send(change, words) {
  const { status, body } = await post("/setup", change), isMade = status === 200;
  said?.replaceChildren(isMade ? `${words} ` : reason(body.message), ...isMade ? [back(body.sequence, words)] : []);
  said?.classList.toggle("full", !isMade);
  mistake = isMade ? undefined : body.position;
  return isMade ? body : null;
}
/// The place of the error in the formula that was refused last.
let mistake;

/// A refusal with the setting as the sheet calls it: `Limit: it is below the start value.`
const reason = sentence => titled(sentence).replace(/^“(\w+)” is not valid: /, (words, name) => `${labelled(name)}: `);

const back = (sequence, words) => undoing(words, [sequence], refusal => said?.replaceChildren(refusal ?? "Undone."));

/// A name that commands can use, out of a title: "Kids outside" is kids-outside.
function nameOf(title) {
  const letters = title.trim().normalize("NFC").toLowerCase().replace(/[^\p{L}\p{Mn}\p{Mc}\p{Nd}_.-]+/gu, "-").replace(/^[^\p{L}\p{Nd}]+|-+$/gu, "");
  const short = [...letters].slice(0, 50).join(""), plain = /\p{L}/u.test(short) ? short : ["count", short].filter(Boolean).join("-");
  for (let copy = 2, name = plain; ; copy += 1) {
    if (!isTaken(name)) return name;
    name = `${plain}-${copy}`;
  }
}

/// A sheet that sets up; it forgets its fields when it closes.
function setupSheet(title, ...children) {
  const made = sheet(title, ...children, said);
  made.classList.add("set");
  made.addEventListener("close", () => { said = null; fields = []; });
  return made;
}

export function makeCounter() {
  const title = text({ maxLength: 200, required: true, placeholder: "such as Guests" }), name = element("code");
  // In the overview of a group it is one of the group.
  const own = isOverview && ownGroup(), more = own ? { group: own.name } : {};
  const kind = onOff(), parts = onOff(), formula = text({ placeholder: "in - out" });
  title.oninput = () => { name.textContent = nameOf(title.value); };
  title.oninput();
  said = status();
  const made = formOf(make, card(field("Title", "", title)), element("small", {}, "For commands: ", name),
    card(field("Stopwatch", "a tap starts and stops it", kind), field("Decimals", "such as 0.25 litres, with two places", parts),
      field("Formula", "if it is computed from other counters", formula)),
    button("Make the counter", null, { class: "filled" }));
  async function make() {
    const press = made.querySelector("button"), isFormula = Boolean(formula.value.trim());
    asked = nameOf(title.value);
    const change = isFormula ? { do: "compute", name: asked, settings: { formula: formula.value, title: title.value, ...more } }
      : { do: "create", name: asked, stopwatch: kind.checked, settings: { title: title.value, ...more }, ...parts.checked && !kind.checked && { decimals: 2 } };
    press.disabled = true;
    if (!await send(change, "Made.")) {
      press.disabled = false;
      return isFormula && markMistake(formula);
    }
    location.assign(address("counter", asked));
  }
  let asked = null;
  setupSheet(own ? `New counter in ${own.title}` : "New counter", made);
  // It may be made although the answer was lost.
  fields.push(() => { if (isTaken(asked)) location.assign(address("counter", asked)); });
  title.focus();
}

/// Marks the place of the error in a formula.
function markMistake(control) {
  if (mistake === undefined) return;
  const letters = [...control.value], before = letters.slice(0, mistake).join(""), wrong = letters[mistake] ?? " ";
  control.ariaInvalid = "true";
  said.append(element("code", {}, before, element("mark", {}, wrong), letters.slice(mistake + 1).join("")));
  control.focus();
  control.setSelectionRange(before.length, before.length + wrong.length);
}

/// How often a counter restarts.
const periods = [["hourly", "each hour"], ["daily", "each day"], ["weekly", "each week"], ["monthly", "each month"], ["yearly", "each year"]];
/// What the settings in the counter's unit mean.
const meanings = { step: "a tap adds it", stepDown: "taken off, if it is not the step", start: "the value after a reset", target: "the page tells when it is reached",
  maximum: "the highest value", minimum: "0 so that it is never below", every: "a signal at each multiple, such as each 10" };

/// The fields of an open sheet: they show the present settings of a counter or a group, and save others at once.
function fieldsOf(item, save) {
  const follow = (control, show) => {
    show();
    fields.push(() => { if (item() && control !== document.activeElement) show(); });
  };
  const set = (name, control, hint, words = labelled(name)) => {
    const isNumber = control.inputMode === "decimal", show = () => {
      const now = item()?.[name];
      control.value = isNumber && now ? number(now) : (name === "icon" ? glyph(now) : now) ?? "";
      // Without a limit the core says nothing of what happens there.
      if (control.selectedIndex < 0) control.selectedIndex = 0;
      control.ariaInvalid = null;
    };
    control.onchange = async () => {
      const value = isNumber ? typed(control.value) : control.value, now = item()[name] ?? "";
      // A step or a start that is emptied is the usual one.
      if (value === now || value === "" && Number(now) === { step: 1, start: 0 }[name]) return show();
      if (await save(name, value)) return;
      if (name === "formula") markMistake(control); else show();
    };
    follow(control, show);
    return field(words, hint, control);
  };
  /// The title and the looks.
  const looks = () => {
    const [spots, showColour] = palette(() => item()?.colour, async value => { if (!await save("colour", value)) showColour(); });
    follow(spots, showColour);
    const other = set("icon", text({ maxLength: 16 }), "an emoji, or a few letters", "Another");
    const preview = icon => document.querySelector("dialog .chip").replaceWith(chip(icon ? { icon } : item()));
    const picture = pictureRow(icon => save("icon", icon), sentence => {
      said.textContent = sentence;
      said.classList.add("full");
    });
    const picker = iconPicker(icon => save("icon", icon), preview, ...picture, other);
    return card(set("title", text({ maxLength: 200 })), picker, spots);
  };
  return { follow, set, looks };
}

export function changeGroup(name) {
  const item = () => board.state.groups.find(one => one.name === name);
  said = status();
  const { looks } = fieldsOf(item, (field, value) => send({ do: "setGroup", name, field, text: value }, `${labelled(field)} changed.`));
  setupSheet(item, looks());
}

export function changeCounter() {
  const { id } = shown() ?? {}, item = () => everything().find(one => one.id === id);
  if (!item()) return;
  const isFormula = item().formula !== undefined;
  const save = (name, value, words) => send({ do: "set", name: item().name, field: name, text: value }, words ?? `${labelled(name)} changed.`);
  const { follow, set, looks } = fieldsOf(item, save);
  /// A list, the last choice of which asks for another one, in a field that takes the place of the list so that nothing moves.
  const choose = (words, hint, read, choices, another, more, enter) => {
    const list = choice([["", "none"], ...choices, ["+", another]]), own = text({ hidden: true, onblur: () => own.value || show(), ...more });
    const show = () => {
      const [now = "", title] = read(), known = [...list.options].find(one => one.value === now);
      if (!known) list.add(new Option(title ?? now, now), 1); else if (title) known.text = title;
      list.value = now;
      own.hidden = true;
      list.hidden = false;
    };
    const enterOr = async value => { if (!await enter(value) || !own.hidden) show(); };
    list.onchange = () => {
      if (list.value !== "+") return enterOr(list.value);
      own.value = "";
      own.hidden = false;
      list.hidden = true;
      own.focus();
    };
    own.onchange = () => { if (own.value) enterOr(own.value); };
    follow(list, () => { if (own.hidden) show(); });
    return field(words, hint, list, own);
  };
  const archived = onOff(), showArchived = () => { archived.checked = item()?.archived === true; };
  archived.onchange = async () => {
    if (!await save("archived", archived.checked ? "yes" : "no", archived.checked ? "Archived." : "Back from the archive.")) showArchived();
  };
  follow(archived, showArchived);
  const move = (way, words) => signed(way, words, () => send({ do: way, name: item().name }, "Moved."));
  const numbers = isFormula || item().stopwatch ? [] : Object.keys(meanings).filter(name => board.me.setup.includes(name));
  const last = board.state.changes.find(one => one.id === id);
  said = status(...last ? [`${what(last)}, ${time(last.time)}, ${who(last)} `, back(last.sequence, what(last))] : []);
  setupSheet(item,
    looks(),
    ...isFormula ? [card(set("formula", text()))] : [],
    ...numbers.length ? [card(...numbers.map(name => set(name, text({ inputMode: "decimal" }), meanings[name])), set("limits", choice([["refuse", "is refused"], ["stop", "stops at the limit"]]), "a count there", "Beyond a limit"))] : [],
    card(...isFormula ? [] : [
      choose("Period", "restarts by itself; the past keeps what was counted", () => [item()?.period], periods, "at another time …", { placeholder: "daily 04:00", ariaLabel: "When it restarts" },
        value => save("period", value)),
      set("tags", text({ maxLength: 400 }), "words, with spaces between")],
    set("note", text({ maxLength: 2000 })), set("name", text({ maxLength: 64 }), "what commands call it")),
    card(choose("Group", "", () => [item()?.group, groupTitle(item()?.group)], board.state.groups.map(one => [one.name, one.title]), "new group …",
      { placeholder: "Name of the group", ariaLabel: "Name of the new group" }, name => send({ do: "group", name: item().name, ...name && { text: name } }, "Group changed.")),
    ...isFormula ? [] : [buttonRow("Place", "", move("up", "Move up"), move("down", "Move down"))],
    field("Archived", "keeps its value; found below all counters", archived)),
    card(button("Delete", async () => {
      const { title, name } = item(), gone = await send({ do: "remove", name }, "Deleted.");
      if (gone) deleted(title, gone.sequence);
    }, { class: "danger" })));
}

/// Offers to bring a deleted counter back: its page is gone with it.
function deleted(title, sequence) {
  const words = status("Its counts stay in the journal."), back = undoing("the deletion", [sequence], refusal => refusal ? put(words, refusal) : made.close());
  back.className = "filled";
  const made = sheet(`“${title}” is deleted`, words, back);
}
