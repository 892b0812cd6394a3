import { useSyncExternalStore } from 'react';
import { isHeldInTab, watchTab } from './tab-memory.ts';

/** Whether an answer is in the browser's database, not only in this tab. True if there is no answer. */
export function useIsDraftPersisted(draftId: string | null): boolean {
  return useSyncExternalStore(watchTab, () => draftId === null || !isHeldInTab(draftId));
}
