import type { SessionKind } from '@interview-prep/contracts/recordings';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { api } from '../../../lib/api/base-api.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import type { AppDispatch } from '../../../lib/state/root-state.ts';

/** The cache tag that a saved answer invalidates. */
const historyTag = { interview: 'InterviewHistory', practice: 'PracticeHistory' } as const satisfies Record<
  SessionKind,
  string
>;

/**
 * Seconds after an upload at which to reload the history: it learns of a saved answer by an event, which may take a
 * while on a busy machine.
 */
const reloadAfterS = [0, 2, 5, 10, 20, 40] as const;

/** Reloads the history and its counts after an answer was saved. */
export function refreshHistory(kind: SessionKind, dispatch: AppDispatch): void {
  const refresh = () => dispatch(api.util.invalidateTags([historyTag[kind]]));
  for (const seconds of reloadAfterS) setTimeout(refresh, seconds * 1000);
}

/** The toast of a failed upload. Source: product specification, sections 4 and 8. */
export const uploadFailureToast: Record<SessionKind, (failure: unknown) => string> = {
  interview: () => messages.recorder.saveFailedRetry,
  practice: (failure) => errorMessage(failure, fallbacks.uploadPracticeRecording),
};
