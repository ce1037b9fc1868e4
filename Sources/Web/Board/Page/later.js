// The scripts that are loaded when a page first needs them, each with its styles: one for the past, and one for pairing,
// setting up, amounts, the tutorial and the settings of the device.

import { listen, root } from "./elements.js";
import { refuse } from "./notices.js";

/// What is known of a script: its exports once a view needs them, the view to open when it is there, and the failures so far.
const unloaded = () => ({ exports: null, wanted: null, failures: 0, retrying: 0 });
const scripts = { later: unloaded(), past: unloaded() };

/// Opens a view of one of these scripts, at once or as soon as the script has arrived.
///
/// - Parameter name: the function of the script.
export async function openLater(name, ...words) {
  const file = /^draw(Past|Day)$/.test(name) ? "past" : "later", script = scripts[file], own = script.wanted = { name, words };
  clearTimeout(script.retrying);
  try {
    script.exports ??= loadScript(file, script.failures);
    const { [name]: open } = await script.exports;
    // Another view was asked for meanwhile.
    if (script.wanted !== own) return;
    script.failures = 0;
    open(...words);
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    script.exports = null;
    if (script.wanted !== own) return;
    script.failures += 1;
    if (script.failures === 1) refuse("The board does not answer. This opens as soon as it does.");
    script.retrying = setTimeout(openLater, 2000, name, ...words);
  }
}

class Missing extends Error {}

/// Loads the files of this version of the page. A board of another version refuses them, and the page reloads as soon as it hears of that.
async function loadScript(file, failures) {
  const version = `?${root.dataset.build ?? ""}${failures ? `.${failures}` : ""}`, styles = new CSSStyleSheet();
  try {
    const [text, found] = await Promise.all([
      fetch(`/${file}.css${version}`, { signal: AbortSignal.timeout(10_000) }).then(answer => answer.ok ? answer.text() : Promise.reject(new Missing())),
      // A browser may remember that a module did not arrive.
      import(`/${file}.js${version}`),
    ]);
    styles.replaceSync(text);
    document.adoptedStyleSheets.push(styles);
    return found;
  } catch { throw new Missing(); }
}

// Who goes to another counter does not wait for a sheet any more.
listen("shown", () => {
  scripts.later.wanted = null;
  clearTimeout(scripts.later.retrying);
});
