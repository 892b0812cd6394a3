import { useState } from 'react';

/** The state of a confirmation dialog. */
export interface Confirmation<T> {
  opened: boolean;
  /** What the dialog asks about. Stays set while the dialog closes, so that its text does not flicker. */
  about: T | null;
  ask: (about: T) => void;
  close: () => void;
}

/** Holds what a confirmation dialog asks about. */
export function useConfirm<T>(): Confirmation<T> {
  const [about, setAbout] = useState<T | null>(null);
  const [opened, setOpened] = useState(false);
  return {
    opened,
    about,
    ask: (subject) => {
      setAbout(subject);
      setOpened(true);
    },
    close: () => setOpened(false),
  };
}
