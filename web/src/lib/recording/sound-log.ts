/** What the level meter heard of one recording. */
export interface SoundLog {
  /** Whether anything was measured. */
  measured: boolean;
  /** Whether anything was loud enough to be heard. */
  heard: boolean;
  /** Whether a part went unmeasured: the browser held Web Audio back, or slowed the page down. */
  incomplete: boolean;
}

/** The log of a recording that begins. */
export function newSoundLog(): SoundLog {
  return { measured: false, heard: false, incomplete: false };
}

/** Whether nothing was heard in the whole recording. False where it is not certain. */
export function isSilent({ measured, heard, incomplete }: SoundLog): boolean {
  return measured && !heard && !incomplete;
}
