import { useSyncExternalStore } from 'react';
import { isHeldInTab, watchTab } from './tab-memory.ts';

/** Whether an answer is in the browser's database, not only in this tab. True if there is no answer. */
export const useIsDraftPersisted = (draftId: string | null): boolean =>
  useSyncExternalStore(watchTab, () => draftId === null || !isHeldInTab(draftId));
