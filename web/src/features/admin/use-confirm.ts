import { useState } from 'react';

/** A question put to the admin about something, such as whether to delete it. */
export interface Question<T> {
  opened: boolean;
  /** What it is about; stays while the dialog closes, so that its words do. */
  about: T | null;
  ask: (about: T) => void;
  close: () => void;
}

/** Holds what a confirmation is about. */
export function useConfirm<T>(): Question<T> {
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
