import { limits } from '@interview-prep/contracts/limits';

/** Below a minute it is told in steps of this many seconds: a number that changes each second is read out each second. */
const stepS = 15;

/** How long a recording may go on at the rate that it had until now, in words: '3 minutes', '45 seconds', 'a few seconds'. */
export function timeLeft(sizeBytes: number, elapsedS: number): string {
  const secondsLeft = ((limits.recordingMaxBytes - sizeBytes) / sizeBytes) * elapsedS;
  const minutes = Math.floor(secondsLeft / 60);
  if (minutes >= 1) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const seconds = Math.floor(secondsLeft / stepS) * stepS;
  return seconds >= stepS ? `${seconds} seconds` : 'a few seconds';
}
