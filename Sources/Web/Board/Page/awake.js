// Keeps the screen of a device on for some minutes after each of its counts.

/// For how long after a count, in milliseconds.
const wakeTime = 300_000;
/// The lock of the screen, which is asked for once, and the timer that releases it.
let wakeLock = Promise.resolve(null), sleeping = 0;

/// Whether the browser can keep the screen on; most do so over HTTPS only.
export const canStayAwake = () => Boolean(navigator.wakeLock);

export function stayAwake() {
  if (!canStayAwake()) return;
  clearTimeout(sleeping);
  sleeping = setTimeout(() => wakeLock.then(lock => lock?.release()), wakeTime);
  // The browser releases it when the page is hidden, and refuses it while the battery is low.
  wakeLock = wakeLock.then(lock => lock && !lock.released ? lock : navigator.wakeLock.request("screen").catch(() => null));
}
