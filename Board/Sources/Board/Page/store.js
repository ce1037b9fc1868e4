// Texts that the browser stores for this device.

/// Replaces localStorage where the browser refuses it; it lives as long as the page.
const unkept = new Map();

// An empty catch: there is nothing to delete or to list.
export const store = {
  get: key => { try { return localStorage.getItem(key); } catch { return unkept.get(key) ?? null; } },
  set: (key, text) => { try { localStorage.setItem(key, text); } catch { unkept.set(key, text); } },
  delete: key => { unkept.delete(key); try { localStorage.removeItem(key); } catch {} },
  keys: beginning => {
    let keys = [...unkept.keys()];
    try { keys = keys.concat(Object.keys(localStorage)); } catch {}
    return keys.filter(key => key.startsWith(beginning)).sort();
  },
};
