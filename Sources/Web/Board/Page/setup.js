// Setting up: a device with the right for it makes counters and changes them. Each change is made at once.

import { colours } from "./colours.js";
import { address, button, element, sheet } from "./elements.js";
import { post } from "./queue.js";
import { fiveMarks } from "./marks.js";
import { board, shown } from "./state.js";
import { labelled, number, time, typed, what, who } from "./texts.js";
import { mayOffer, teacher } from "./tutorial.js";

/// The element with the sheet's last message and its Undo button; null without a sheet.
let said = null;
/// Each shows the current setting in a field of the open sheet.
let fields = [];

/// Shows changed settings in the open sheet, except in the field that somebody is writing in.
export const showChanged = () => { for (const show of fields) show(); };

/// Whether this device may set up.
export const maySetUp = () => Boolean(board.me?.setup);

/// Whether this page has not heard yet of any counter: the board was started without a core.
export const isUnknown = () => Boolean(board.state.absence) && !board.state.counters.length;

/// The next step where there is no counter, or why none is known.
export function noCounter() {
  if (isUnknown()) return element("div", { class: "empty" }, element("h1", {}, "The counts are not known yet"), element("p", { textContent: board.oldness }));
  const next = maySetUp() ? element("p", {}, button("New counter", makeCounter, { class: "filled" }))
    : element("p", {}, "Make one on the machine: ", element("code", {}, "tally new people"));
  return element("div", { class: "empty" }, fiveMarks(), element("h1", {}, "There is no counter yet"), next,
    element("p", {}, "It appears here by itself."), ...mayOffer() ? [teacher()] : []);
}

/// Sends one change; returns whether it is made.
async function send(change, words) {
  const answer = await post("/setup", change), isMade = answer.status === 200;
  said?.replaceChildren(isMade ? `${words} ` : reason(answer.body.message), ...isMade ? [undoing(answer.body.sequence, words)] : []);
  said?.classList.toggle("full", !isMade);
  return isMade;
}

/// A refusal with the setting as the sheet calls it: `Limit: it is below the start value.`
const reason = (sentence = "") => sentence.replace(/^“(\w+)” is not valid: /, (words, name) => `${labelled(name)}: `);

function undoing(sequence, words) {
  return button("Undo", async () => {
    const answer = await post("/undo", { sequence });
    said?.replaceChildren(answer.status === 200 ? "Undone." : answer.body.message);
  }, { ariaLabel: `Undo: ${words}` });
}

export function makeCounter() {
  const name = element("input", { maxLength: 64, required: true, autocomplete: "off", pattern: "[\\p{L}\\p{N}][\\p{L}\\p{N}_.\\-]*" });
  const title = element("input", { maxLength: 200, autocomplete: "off" });
  const kind = element("input", { type: "checkbox" });
  said = element("p", { role: "status" });
  const form = element("form", {}, label("Name, such as kids", name), label("Title, such as Kids outside", title),
    element("label", {}, kind, "A stopwatch"), button("Make the counter"), said);
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const change = { do: "create", name: name.value, stopwatch: kind.checked, ...title.value && { text: title.value } };
    if (await send(change, "Made.")) location.assign(address("counter", name.value));
  });
  sheet("New counter", form);
  name.focus();
}

export function changeCounter() {
  const id = shown()?.id, item = () => board.state.counters.find(one => one.id === id);
  if (!item()) return;
  const follow = (control, show) => {
    show();
    fields.push(() => { if (item() && control !== document.activeElement) show(); });
  };
  const set = (field, words, control) => {
    const isNumber = control.inputMode === "decimal";
    const show = () => { control.value = isNumber && item()?.[field] ? number(item()[field]) : item()?.[field] ?? ""; };
    control.onchange = async () => {
      const text = isNumber ? typed(control.value) : control.value;
      if (!await send({ do: "set", name: item().name, field, text }, `${words} changed.`)) show();
    };
    follow(control, show);
    return label(words, control);
  };
  const text = (options = {}) => element("input", { autocomplete: "off", ...options });
  const choice = names => element("select", {}, element("option", { value: "" }, "none"),
    ...names.map(([value, textContent]) => element("option", { value, textContent })));
  const group = choice(board.state.groups.map(one => [one.name, one.title]));
  group.append(element("option", { value: "+" }, "new group …"));
  // It takes the place of the list, so that nothing below moves.
  const newGroup = text({ placeholder: "Name of the group", ariaLabel: "Name of the new group", hidden: true, onblur: () => newGroup.value || showGroup() });
  const writeGroup = isNew => { newGroup.hidden = !isNew; group.hidden = isNew; };
  const showGroup = () => {
    const name = item()?.group ?? "";
    if (name && ![...group.options].some(one => one.value === name)) group.add(new Option(name, name), 1);
    group.value = name;
    writeGroup(false);
  };
  const enter = async name => {
    if (!await send({ do: "group", name: item().name, ...name && { text: name } }, "Group changed.") || !newGroup.hidden) showGroup();
  };
  group.onchange = () => {
    if (group.value !== "+") return enter(group.value);
    newGroup.value = "";
    writeGroup(true);
    newGroup.focus();
  };
  newGroup.onchange = () => { if (newGroup.value) enter(newGroup.value); };
  follow(group, () => { if (newGroup.hidden) showGroup(); });
  const archived = element("input", { type: "checkbox" });
  const showArchived = () => { archived.checked = item()?.archived === true; };
  archived.onchange = async () => {
    const change = { do: "set", name: item().name, field: "archived", text: archived.checked ? "yes" : "no" };
    if (!await send(change, archived.checked ? "Archived." : "Back from the archive.")) showArchived();
  };
  follow(archived, showArchived);
  const move = way => () => send({ do: way, name: item().name }, "Moved.");
  const numbers = item().stopwatch ? [] : board.me.setup;
  const last = board.state.changes.find(one => one.id === id);
  said = element("p", { role: "status" }, ...last ? [`${what(last)}, ${time(last.time)}, ${who(last)} `, undoing(last.sequence, what(last))] : []);
  const made = sheet(`Set up ${item().title}`,
    set("title", "Title", text({ maxLength: 200 })),
    set("icon", "Icon", text({ maxLength: 16 })),
    set("colour", "Colour", choice(colours.map(one => [one, one]))),
    ...numbers.map(field => set(field, labelled(field), text({ inputMode: "decimal" }))),
    label("Group", group, newGroup),
    element("p", { class: "steps" }, button("Move up", move("up")),
      button("Move down", move("down"))),
    element("label", {}, archived, "Archived: keeps its value, and is not shown"), said);
  fields.push(() => item() || made.close());
  made.addEventListener("close", () => { said = null; fields = []; });
}

function label(words, ...controls) {
  return element("label", {}, element("span", {}, words), ...controls);
}
