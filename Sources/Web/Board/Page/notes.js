// The sheet that writes a note at an event.

import { button, byId, element } from "./elements.js";
import { post } from "./queue.js";
import { card, field, sheet } from "./sheets.js";
import { subjectOf, time, what } from "./texts.js";

/// - Parameter redraw: draws the events with the note.
export function writeNote(event, redraw) {
  const control = element("input", { maxLength: 400, autocomplete: "off", value: event.note ?? "", placeholder: "none" }), refused = element("p", { role: "status" });
  const form = element("form", {}, card(field("Note", "", control)), button("Write the note", null, { class: "filled" }), refused);
  form.onsubmit = async submitted => {
    submitted.preventDefault();
    const { status, body } = await post("/note", { sequence: event.sequence, text: control.value.trim() });
    if (status !== 200) return void (refused.textContent = body.message);
    event.note = control.value.trim();
    redraw();
    made.close();
    byId(`note ${event.sequence}`)?.focus({ preventScroll: true });
  };
  const made = sheet(`${what(event)} ${subjectOf(event)}, ${time(event.time)}`, form);
}
