// Amounts: "12 came at once" by a keypad, with a note; and a value that is corrected, with its reason.

import { button, element, put } from "./elements.js";
import { titled } from "./notices.js";
import { make, post } from "./queue.js";
import { card, field, sheet, status, text } from "./sheets.js";
import { board, shown } from "./state.js";
import { number, units, value } from "./texts.js";

/// The decimal mark of this person.
const point = number("0.5").slice(1, 2);
const longest = 24;

/// The result of a sum of products such as 12×3+0.5, as text with a decimal point; empty for none.
function result(text, decimals = 0) {
  const whole = text.replace(/[.×+−]+$/, ""), places = longest;
  if (!whole) return "";
  let sum = 0n;
  for (const [, sign, product] of whole.matchAll(/([+−]?)([^+−]+)/g)) {
    let digits = 1n, used = 0;
    for (const factor of product.split("×")) {
      const [left, right = ""] = factor.split(".");
      digits *= BigInt(left + right);
      used += right.length;
    }
    const scaled = digits * 10n ** BigInt(places - used);
    sum += sign === "−" ? -scaled : scaled;
  }
  let rest = places;
  // Noughts behind the last decimal of the counter are no part of the amount.
  while (rest > decimals && sum % 10n === 0n) {
    sum /= 10n;
    rest -= 1;
  }
  return units(sum, rest);
}

/// - Parameter first: the digit that a person typed to open the keypad.
export function openKeypad(first = "") {
  const { id } = shown() ?? {}, item = () => board.state.counters.find(one => one.id === id);
  if (!item()) return;
  const { decimals } = item();
  let entered = "";
  const display = element("output", { class: "digits amount", ariaLive: "polite" }), refused = status();
  const note = text({ maxLength: 400 });
  const show = () => {
    const amount = result(entered, decimals), words = number(amount), isSum = /[×+−]/.test(entered);
    display.replaceChildren(entered.replaceAll(".", point) || "0", ...isSum && amount ? [element("small", {}, ` = ${words}`)] : []);
    plus.textContent = amount ? `Add ${words}` : "Add";
    minus.textContent = amount ? `Take ${words} off` : "Take off";
    correct.textContent = amount ? `Correct ${value(item())} to ${words}` : "Correct";
    // Nothing is added by nothing, and a value may be 0.
    plus.disabled = minus.disabled = !amount || /^-|^0*\.?0*$/.test(amount);
    correct.disabled = !amount;
  };
  const type = key => {
    const last = entered.split(/[×+−]/).at(-1);
    if (key === "⌫") entered = entered.slice(0, -1);
    else if ("×+−".includes(key)) entered = last ? entered.replace(/\.$/, "") + key : entered.slice(0, -1) + (entered.length > 1 ? key : "");
    else if (key === ".") entered += !decimals || last.includes(".") ? "" : last ? key : "0.";
    else if (entered.length < longest) entered = (last === "0" ? entered.slice(0, -1) : entered) + key;
    show();
  };
  const count = verb => {
    make(verb, item(), "keypad", result(entered, decimals), note.value.trim() || undefined);
    made.close();
  };
  const setRight = async () => {
    // Others may have counted since the words were written.
    const words = correct.textContent;
    show();
    if (correct.textContent !== words) return put(refused, "The value has changed. Look at it, and press again.");
    correct.disabled = true;
    const answer = await post("/correct", { counter: item().name, quantity: result(entered, decimals) });
    correct.disabled = false;
    if (answer.status !== 200) return put(refused, titled(answer.body.message));
    if (note.value.trim()) await post("/note", { sequence: answer.body.sequence, text: note.value.trim() });
    made.close();
  };
  const plus = button("", () => count("add"), { class: "filled" }), minus = button("", () => count("subtract")), correct = button("", setRight);
  const keys = ["7", "8", "9", "⌫", "4", "5", "6", "×", "1", "2", "3", "−", "0", ...decimals ? ["."] : [], "+"];
  const words = { "⌫": "Take the last digit off", "×": "Times", "−": "Minus", "+": "Plus", ".": "Decimal mark" };
  const made = sheet(item, display,
    element("div", { class: "keys" }, ...keys.map(key => button(key === "." ? point : key, () => type(key), { ariaLabel: words[key] ?? key, class: words[key] ? "sign" : key === "0" ? "nought" : "" }))),
    card(field("Note", "what it was, or why it is corrected", note)), element("p", { class: "acts-of" }, minus, plus, correct), refused);
  made.onkeydown = event => {
    const key = { Backspace: "⌫", "*": "×", x: "×", "-": "−", ",": "." }[event.key] ?? event.key;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target === note || event.target.closest("button") && event.key === "Enter") return;
    if (event.key === "Enter" && !plus.disabled) count("add");
    else if (keys.includes(key)) type(key);
    else return;
    event.preventDefault();
  };
  show();
  for (const key of first) type(key);
}
