import { useEffect } from 'react';

/** How long after the last sign of a person they count as there. */
const attendedMs = 120_000;

/** How often somebody counts as there who is recorded. */
const everyMs = 60_000;

let lastSignMs = Date.now();
let listener: (() => void) | null = null;

/** Somebody uses the page, or is recorded by it. */
export function noteAttendance(): void {
  lastSignMs = Date.now();
  listener?.();
}

/** Whether what the page does now counts as a use of the sign-in; otherwise the page does it by itself. */
export function isAttended(): boolean {
  return Date.now() - lastSignMs < attendedMs;
}

/** Calls `listen` at each sign of somebody. @returns ends it */
export function onAttendance(listen: () => void): () => void {
  listener = listen;
  return () => {
    listener = null;
  };
}

/** Keeps the sign-in from ending for want of use while somebody answers without touching the page. */
export function useAttendance(isThere: boolean): void {
  useEffect(() => {
    if (!isThere) return;
    noteAttendance();
    const timer = setInterval(noteAttendance, everyMs);
    return () => clearInterval(timer);
  }, [isThere]);
}
