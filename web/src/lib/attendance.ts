import { useEffect } from 'react';

/** How long after the last input a user counts as present. */
const attendedMs = 120_000;

/** How often a user who is being recorded is marked as present. */
const everyMs = 60_000;

let lastSignMs = Date.now();
let listener: (() => void) | null = null;

/** Marks the user as present: they use the page, or are being recorded by it. */
export function noteAttendance(): void {
  lastSignMs = Date.now();
  listener?.();
}

/** Whether the user is present, so that the page's requests count as a use of the sign-in. */
export function isAttended(): boolean {
  return Date.now() - lastSignMs < attendedMs;
}

/** Calls `listen` whenever the user is marked as present. @returns stops that */
export function onAttendance(listen: () => void): () => void {
  listener = listen;
  return () => {
    listener = null;
  };
}

/** Keeps the sign-in from ending for inactivity while the user answers without touching the page. */
export function useAttendance(isThere: boolean): void {
  useEffect(() => {
    if (!isThere) return;
    noteAttendance();
    const timer = setInterval(noteAttendance, everyMs);
    return () => clearInterval(timer);
  }, [isThere]);
}
