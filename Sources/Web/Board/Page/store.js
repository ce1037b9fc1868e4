// Texts that the browser stores for this device.

/// Replaces localStorage where the browser refuses it or it is full; it lives as long as the page.
const unkept = new Map();

// An empty catch: there is nothing to delete or to list.
export const store = {
  get: key => {
    if (unkept.has(key)) return unkept.get(key);
    try { return localStorage.getItem(key); } catch { return null; }
  },
  /// Returns whether the browser keeps the text.
  set: (key, text) => {
    try {
      localStorage.setItem(key, text);
      unkept.delete(key);
      return true;
    } catch { unkept.set(key, text); }
    return false;
  },
  isUnkept: key => unkept.has(key),
  /// Keeps a text only as long as the page lives.
  unkeep: key => {
    const text = store.get(key);
    store.delete(key);
    unkept.set(key, text);
  },
  delete: key => { unkept.delete(key); try { localStorage.removeItem(key); } catch {} },
  /// A list that the page stored; an empty one for anything else, as of another program at the same address.
  list: key => {
    try {
      const found = JSON.parse(store.get(key));
      return Array.isArray(found) ? found : [];
    } catch { return []; }
  },
  keys: beginning => {
    let keys = [...unkept.keys()];
    try { keys = keys.concat(Object.keys(localStorage)); } catch {}
    return [...new Set(keys)].filter(key => key.startsWith(beginning)).sort();
  },
};
