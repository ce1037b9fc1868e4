// Keeps the screen of a device on for some minutes after each of its counts.

/// For how long after a count, in milliseconds.
const wakeTime = 300_000;
let wakeLock = null, sleeping = 0;

/// Whether the browser can keep the screen on; most do so over HTTPS only.
export const canStayAwake = () => Boolean(navigator.wakeLock);

export async function stayAwake() {
  if (!canStayAwake()) return;
  clearTimeout(sleeping);
  sleeping = setTimeout(() => {
    wakeLock?.release();
    wakeLock = null;
  }, wakeTime);
  // The browser releases it when the page is hidden, and refuses it while the battery is low.
  if (!wakeLock || wakeLock.released) wakeLock = await navigator.wakeLock.request("screen").catch(() => null);
}
