import { useSyncExternalStore } from 'react';
import { useKeptSwitch } from '../session/use-kept-switch.ts';
import { hasVoices, watchVoices } from './read-aloud.ts';

/** Whether a user wants questions read aloud. Off until they choose it; kept in this browser, as its voices are. */
export interface ReadAloudChoice {
  /** Whether this browser can read at all. */
  available: boolean;
  chosen: boolean;
  choose: (chosen: boolean) => void;
}

export function useReadAloudChoice(userId: string): ReadAloudChoice {
  const available = useSyncExternalStore(watchVoices, hasVoices);
  const [chosen, choose] = useKeptSwitch('readAloud', userId);
  return { available, chosen: available && chosen, choose };
}
