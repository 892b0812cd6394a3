import { limits } from '@interview-prep/contracts/api/limits';

/** Below a minute, count down in steps: a screen reader reads every change aloud. */
const stepS = 15;

/** How long a recording can continue at its rate so far, in words: '3 minutes', '45 seconds', 'a few seconds'. */
export function timeLeft(sizeBytes: number, elapsedS: number): string {
  const secondsLeft = ((limits.recordingMaxBytes - sizeBytes) / sizeBytes) * elapsedS;
  const minutes = Math.floor(secondsLeft / 60);
  if (minutes >= 1) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const seconds = Math.floor(secondsLeft / stepS) * stepS;
  return seconds >= stepS ? `${seconds} seconds` : 'a few seconds';
}
