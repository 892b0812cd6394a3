import { useSyncExternalStore } from 'react';
import { useKeptSwitch } from '../session/icon-toggle.tsx';
import { hasVoices, watchVoices } from './read-aloud.ts';

/** Whether to read questions aloud. Off by default; stored per browser, since voices differ. */
export interface ReadAloudChoice {
  available: boolean;
  chosen: boolean;
  choose: (chosen: boolean) => void;
}

export function useReadAloudChoice(userId: string): ReadAloudChoice {
  const available = useSyncExternalStore(watchVoices, hasVoices);
  const [chosen, choose] = useKeptSwitch('readAloud', userId);
  return { available, chosen: available && chosen, choose };
}
