import type { SessionKind } from '@interview-prep/contracts/recordings';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { api } from '../../../lib/api/base-api.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import type { AppDispatch } from '../../../lib/state/root-state.ts';

/** What a saved answer makes stale. */
const historyTag = { interview: 'InterviewHistory', practice: 'PracticeHistory' } as const satisfies Record<
  SessionKind,
  string
>;

/**
 * The history hears of a saved answer by an event, a moment after the upload is answered; on a busy machine much later.
 * So what is shown of it is read again until then, in seconds after the upload.
 */
const readAgainAfterS = [0, 2, 5, 10, 20, 40] as const;

/** Makes the histories and what is counted from them take in an answer that has just been saved. */
export function refreshHistory(kind: SessionKind, dispatch: AppDispatch): void {
  const refresh = () => dispatch(api.util.invalidateTags([historyTag[kind]]));
  for (const seconds of readAgainAfterS) setTimeout(refresh, seconds * 1000);
}

/** What the toast of a failed upload says. Source: product specification, sections 4 and 8. */
export const uploadFailureToast: Record<SessionKind, (failure: unknown) => string> = {
  interview: () => messages.recorder.saveFailedRetry,
  practice: (failure) => errorMessage(failure, fallbacks.uploadPracticeRecording),
};
