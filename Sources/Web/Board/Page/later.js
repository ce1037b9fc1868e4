// The second script and its styles: pairing, setting up, amounts, the past and the settings of the device. The page loads
// them when a person first opens one of these.

import { root } from "./elements.js";
import { refuse } from "./notices.js";

/// The exports of the second script, once a view needs them.
let script = null;
/// The view that is to be opened when the script is there, and the number of failures so far.
let wanted = null, failures = 0, retrying = 0;

/// Opens a view of the second script, at once or as soon as the script has arrived.
///
/// - Parameter name: the function of the script.
export async function openLater(name, ...words) {
  const own = wanted = { name, words };
  clearTimeout(retrying);
  try {
    script ??= loadLater();
    const { [name]: open } = await script;
    // Another view was asked for meanwhile.
    if (wanted !== own) return;
    failures = 0;
    open(...words);
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    script = null;
    if (wanted !== own) return;
    failures += 1;
    if (failures === 1) refuse("The board does not answer. This opens as soon as it does.");
    retrying = setTimeout(openLater, 2000, name, ...words);
  }
}

class Missing extends Error {}

/// Loads the files of this version of the page. A board of another version refuses them, and the page reloads as soon as it hears of that.
async function loadLater() {
  const version = `?${root.dataset.build ?? ""}${failures ? `.${failures}` : ""}`, styles = new CSSStyleSheet();
  try {
    const [text, found] = await Promise.all([
      fetch(`/later.css${version}`, { signal: AbortSignal.timeout(10_000) }).then(answer => answer.ok ? answer.text() : Promise.reject(new Missing())),
      // A browser may remember that a module did not arrive.
      import(`/later.js${version}`),
    ]);
    styles.replaceSync(text);
    document.adoptedStyleSheets.push(styles);
    return found;
  } catch { throw new Missing(); }
}

// Who goes to another counter does not wait for a sheet any more.
document.addEventListener("shown", () => {
  wanted = null;
  clearTimeout(retrying);
});
