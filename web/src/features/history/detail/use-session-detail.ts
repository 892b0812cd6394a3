import { isFeedbackShown } from '@interview-prep/contracts/recording/assignments';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { useState } from 'react';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { useLiveRecordings } from '../../../lib/live/live-recordings-api.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { useSessionDetailQuery } from '../history-api.ts';

/** Delay between attempts to reload a detail. */
const retryMs = 5000;

const isOutage = (error: ApiError | undefined) => error !== undefined && (error.status === null || error.status >= 500);

/** A session's detail, reloaded when it changes and after an outage. */
export function useSessionDetail(kind: SessionKind, id: string) {
  const user = useAppSelector(selectUser);
  const skip = id === '';
  const [isStale, setStale] = useState(false);
  const { data, error, isFetching, refetch } = useSessionDetailQuery(
    { kind, id },
    { skip, refetchOnMountOrArgChange: true, pollingInterval: isStale ? retryMs : 0 },
  );
  const cannotReload = data !== undefined && isOutage(error as ApiError | undefined);
  if (cannotReload !== isStale) setStale(cannotReload);
  const own = user !== null && data?.userDetails?.email === user.email;
  const feedbackHidden = own && !isFeedbackShown(data.assignment);
  const live = useLiveRecordings(!skip, data && !own ? [data.sessionId] : []);
  return {
    detail: data,
    /** The error if there is no detail, or if it may be stale. */
    error: error as ApiError | undefined,
    isFetching,
    live,
    /** Whether the reader is the one who answered. */
    own,
    /** Whether the reader is the one who answered and the assignment's feedback is still hidden. */
    feedbackHidden,
    /** Whether the reader may reprocess recordings: the owner or an admin. */
    mayReprocess: (own && !feedbackHidden) || user?.role === 'admin',
    /** Whether the reader may delete recordings and the session: the owner or an admin. */
    mayDelete: own || user?.role === 'admin',
    /** Whether the reader may review: admins, and coaches of the assignment's group. Others receive no version to review. */
    mayReview: user?.role === 'admin' || data?.recordings.some(({ assessment }) => assessment?.version) === true,
    /** Whether to show the verdict's token usage and cost, for admins. */
    seesUsage: user?.role === 'admin',
    refetch,
    /** A new media URL after the token expired; '' if there is none. */
    renewMedia: async (recordingId: string) => {
      const { data: fresh } = await refetch();
      return fresh?.recordings.find(({ _id }) => _id === recordingId)?.audioUrl ?? '';
    },
  };
}
