import { useEffect } from 'react';

/** How long a user counts as present after the last input. */
const attendedMs = 120_000;

/** How often to mark a user as present during a recording. */
const everyMs = 60_000;

let lastSignMs = Date.now();
let listener: (() => void) | null = null;

/** Marks the user as present: active on the page, or being recorded. */
export function noteAttendance(): void {
  lastSignMs = Date.now();
  listener?.();
}

/** Whether the user is present, so that the page's requests keep the sign-in alive. */
export function isAttended(): boolean {
  return Date.now() - lastSignMs < attendedMs;
}

/** Calls `listen` whenever the user is marked as present. @returns unsubscribes */
export function onAttendance(listen: () => void): () => void {
  listener = listen;
  return () => {
    listener = null;
  };
}

/** Keeps the sign-in alive while the user speaks without touching the page. */
export function useAttendance(isThere: boolean): void {
  useEffect(() => {
    if (!isThere) return;
    noteAttendance();
    const timer = setInterval(noteAttendance, everyMs);
    return () => clearInterval(timer);
  }, [isThere]);
}
