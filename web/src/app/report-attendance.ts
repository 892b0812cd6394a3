import { routeUrl } from '../lib/api/route-request.ts';
import { noteAttendance, onAttendance } from '../lib/attendance.ts';
import { selectToken } from '../lib/state/sign-in-slice.ts';
import type { AppStore } from './store.ts';

/** The reporting interval. The server's idle timeout is at least five minutes. */
const reportEveryMs = 60_000;

/** Input events and media playback, whose events don't bubble but can be captured. */
const signs = ['pointerdown', 'keydown', 'wheel', 'touchmove', 'timeupdate'] as const;

/**
 * Keeps the session alive while the user is active: tells the server that the page is in use while they read, write or
 * speak. A rejection is left to the next real call, so that no one is signed out in the middle of an answer.
 */
export function reportAttendance(store: AppStore): () => void {
  let reportedAtMs = Date.now();
  const stopListening = onAttendance(() => {
    const token = selectToken(store.getState());
    if (token === null || Date.now() - reportedAtMs < reportEveryMs) return;
    reportedAtMs = Date.now();
    fetch(routeUrl('me'), { headers: { Authorization: `Bearer ${token}` } }).catch(() => undefined);
  });
  const options = { capture: true, passive: true } as const;
  for (const sign of signs) window.addEventListener(sign, noteAttendance, options);
  return () => {
    stopListening();
    for (const sign of signs) window.removeEventListener(sign, noteAttendance, options);
  };
}
