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
  const file = /^draw(Past|Day)$/.test(name) ? "past" : "later", script = scripts[file];
  // The tutorial, which each event draws, takes no sheet away that a person waits for.
  const own = name === "drawLesson" ? null : script.wanted = {};
  if (own) clearTimeout(script.retrying);
  const loading = script.exports ??= loadScript(file, script.failures), found = await loading;
  if (!found && script.exports === loading) script.exports = null;
  // Another view was asked for meanwhile.
  if (own && script.wanted !== own) return;
  if (found) {
    script.failures = 0;
    return found[name](...words);
  }
  script.failures += 1;
  if (script.failures === 1) refuse("The board does not answer. This opens as soon as it does.");
  if (own) script.retrying = setTimeout(openLater, 2000, name, ...words);
}

/// Loads the files of this version of the page; null where they do not arrive. A board of another version refuses them, and the
/// page reloads as soon as it hears of that.
async function loadScript(file, failures) {
  const version = `?${root.dataset.build ?? ""}${failures ? `.${failures}` : ""}`, styles = new CSSStyleSheet();
  try {
    const [text, found] = await Promise.all([
      fetch(`/${file}.css${version}`, { signal: AbortSignal.timeout(10_000) }).then(answer => answer.ok ? answer.text() : Promise.reject()),
      // A browser may remember that a module did not arrive.
      import(`/${file}.js${version}`),
    ]);
    styles.replaceSync(text);
    document.adoptedStyleSheets.push(styles);
    return found;
  } catch { return null; }
}

// Who goes to another counter does not wait for a sheet any more.
listen("shown", () => {
  scripts.later.wanted = null;
  clearTimeout(scripts.later.retrying);
});
