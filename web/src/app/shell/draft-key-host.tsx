import { useEffect } from 'react';
import { useStore } from 'react-redux';
import { holdDraftKey } from '../../lib/drafts/draft-key.ts';
import { fetchDraftKey } from '../../lib/drafts/fetch-draft-key.ts';
import type { RootState } from '../../lib/state/root-state.ts';
import { selectToken } from '../../lib/state/sign-in-slice.ts';

const encryption = () => import('../../lib/drafts/encrypt-drafts.ts');

/** Holds the key of the user's unsent answers while they are signed in, and encrypts what this browser has in clear. */
export function DraftKeyHost({ userId }: { userId: string }) {
  const store = useStore<RootState>();
  useEffect(
    () =>
      holdDraftKey(
        userId,
        () => fetchDraftKey(selectToken(store.getState())),
        (cipher) => void encryption().then(({ encryptDrafts }) => encryptDrafts(userId, cipher), console.warn),
      ),
    [userId, store],
  );
  return null;
}
