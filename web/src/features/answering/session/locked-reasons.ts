import type { LockedDraft } from '../../../lib/drafts/draft.ts';

/** Why an answer in this browser cannot be sent. */
export const lockedReasons: Readonly<Record<LockedDraft['locked'], string>> = {
  'no-key': 'It is encrypted, and its key cannot be loaded right now. Stay signed in, and try again later.',
  unreadable: 'It cannot be read: it was encrypted with another key, or it is damaged.',
};
