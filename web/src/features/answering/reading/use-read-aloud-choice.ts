import { useState, useSyncExternalStore } from 'react';
import { hasVoices, watchVoices } from './read-aloud.ts';

/** The local storage key of a user's choice: voices belong to the browser, and so does the choice. */
const keyOf = (userId: string) => `readAloud:${userId}`;

/** Whether a user wants questions read aloud. Off until they choose it; kept in this browser. */
export interface ReadAloudChoice {
  /** Whether this browser can read at all. */
  available: boolean;
  chosen: boolean;
  choose: (chosen: boolean) => void;
}

export function useReadAloudChoice(userId: string): ReadAloudChoice {
  const available = useSyncExternalStore(watchVoices, hasVoices);
  const [chosen, setChosen] = useState(() => localStorage.getItem(keyOf(userId)) === 'on');
  const choose = (on: boolean) => {
    setChosen(on);
    try {
      if (on) localStorage.setItem(keyOf(userId), 'on');
      else localStorage.removeItem(keyOf(userId));
    } catch (error) {
      console.warn('The browser does not keep whether questions are read aloud', error);
    }
  };
  return { available, chosen: available && chosen, choose };
}
