import { useSyncExternalStore } from 'react';
import { isHeldInTab, watchTab } from './tab-memory.ts';

/** Whether the browser's database keeps an answer; else it is in this tab only. Without an answer nothing is missing. */
export const useIsDraftPersisted = (draftId: string | null): boolean =>
  useSyncExternalStore(watchTab, () => draftId === null || !isHeldInTab(draftId));
