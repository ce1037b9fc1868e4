// The sheet that writes a note at an event.

import { button, byId, element, put } from "./elements.js";
import { post } from "./queue.js";
import { card, field, formOf, sheet, status, text } from "./sheets.js";
import { subjectOf, time, what } from "./texts.js";

/// - Parameter redraw: draws the events with the note.
export function writeNote(event, redraw) {
  const control = text({ maxLength: 400, value: event.note ?? "" }), refused = status();
  const write = async () => {
    const answer = await post("/note", { sequence: event.sequence, text: control.value.trim() });
    if (answer.status !== 200) return put(refused, answer.body.message);
    event.note = control.value.trim();
    redraw();
    made.close();
    byId(`note ${event.sequence}`)?.focus({ preventScroll: true });
  };
  const made = sheet(`${what(event)} ${subjectOf(event)}, ${time(event.time)}`, formOf(write, card(field("Note", "", control)), button("Write the note", null, { class: "filled" }), refused));
}
