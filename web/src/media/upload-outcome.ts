import type { SessionKind } from '@interview-prep/contracts/recordings';
import { errorMessage } from '../app/api-error.ts';
import { fallbacks, messages } from '../app/messages.ts';

/** What a saved answer makes stale. */
export const historyTag = { interview: 'InterviewHistory', practice: 'PracticeHistory' } as const satisfies Record<
  SessionKind,
  string
>;

/** What the toast of a failed upload says. Source: product specification, sections 4 and 8. */
export const uploadFailureToast: Record<SessionKind, (failure: unknown) => string> = {
  interview: () => messages.recorder.saveFailedRetry,
  practice: (failure) => errorMessage(failure, fallbacks.uploadPracticeRecording),
};
