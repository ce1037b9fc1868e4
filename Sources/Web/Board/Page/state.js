// The view that the address asks for, and the values that the core has sent.

const path = location.pathname.split("/");
export const query = new URLSearchParams(location.search);

/// "" for the current counter, "counter", "wall", "all", "past", "group" or "pair".
export const view = path[1];
/// The counter or group in the address.
export let subject = path[2] === undefined ? null : decode(path[2]);
export const isPast = view === "past" || view === "group";
export const isWall = view === "wall", isOverview = view === "all";

export const board = {
  /// The last state, with the changes since.
  state: null,
  /// This device, where it is paired and may count.
  me: null,
  /// Why this device may not count.
  why: "",
  /// The counter that this page shows; null for the current one.
  picked: subject,
  /// The ID of the same, once it is known: a counter keeps it when its name is changed.
  id: null,
  /// The board's clock minus this page's, in milliseconds.
  ahead: 0,
  /// Why the numbers are old; null while they are live.
  oldness: "The board is being asked.",
  /// The time of the last message while the numbers are old, by this page's clock; null while they are live.
  until: null,
};

/// All counters and formulas.
export const everything = () => [...board.state.counters, ...board.state.formulas];

/// Sorts events.
export const newestFirst = (one, other) => other.sequence - one.sequence;

/// Changes the name in the address.
export function readdress(name) {
  subject = name;
  history.replaceState(null, "", `/${view}/${encodeURIComponent(name)}${location.search}${location.hash}`);
}

/// Whether the address of a wall names a counter or formula, which a group of that name does not change.
export const isOfOne = () => everything().some(one => one.id === board.id || one.name === subject);

/// The group with the name in the address.
export const ownGroup = () => board.state.groups.find(one => one.name === subject);

/// The ID of the group in the address, once it is known: a group keeps it when its name is changed.
let groupID;
export function followGroup() {
  if (isWall ? isOfOne() : !isOverview && view !== "group") return;
  groupID ??= ownGroup()?.id;
  const own = board.state.groups.find(one => one.id === groupID);
  if (own && own.name !== subject) readdress(own.name);
}

/// Whether this device may set up.
export const maySetUp = () => Boolean(board.me?.setup);

function decode(text) { try { return decodeURIComponent(text); } catch { return text; } }

export function pick({ name, id }) { Object.assign(board, { picked: name, id }); }

/// The counters and formulas that are not archived, in the order of their groups; those without a group come last.
export function inGroups() {
  return [...board.state.groups, null].map(group => {
    const isIn = one => (one.group ?? null) === (group?.name ?? null) && !one.archived;
    return { group, items: everything().filter(isIn) };
  }).filter(one => one.items.length);
}

/// The title of a group; the name of one that is no more.
export const groupTitle = name => board.state?.groups.find(one => one.name === name)?.title ?? name;

/// An icon as text: of a picture the sign alone.
export const glyph = icon => icon?.replace(/(?<=^🖼)\w+$/, "");
/// The heading of a group's counters, or of those without one.
export const headed = group => group ? [glyph(group.icon), group.title].filter(Boolean).join(" ") : board.state.groups.length ? "Without a group" : "Counters";

/// The counter or formula that this page shows.
export function shown() {
  const { state, picked, id } = board;
  if (!state) return null;
  const all = everything();
  if (picked !== null) {
    const item = all.find(one => one.id === id) ?? all.find(one => one.name === picked);
    if (!item) return null;
    if (item.name !== picked && (view === "counter" || isWall)) readdress(item.name);
    pick(item);
    return item;
  }
  return state.counters.find(one => one.name === state.current) ?? state.counters[0] ?? null;
}
