const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** A place in a recording for a screen reader: '1 minute 5 seconds'. Takes milliseconds. */
export function positionInWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const rest = counted(seconds % 60, 'second');
  return minutes > 0 ? `${counted(minutes, 'minute')} ${rest}` : rest;
}
