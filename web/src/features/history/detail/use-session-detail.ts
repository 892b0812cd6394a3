import { isFeedbackShown } from '@interview-prep/contracts/recording/assignments';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { useState } from 'react';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { useLiveRecordings } from '../../../lib/live/live-recordings-api.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { useSessionDetailQuery } from '../history-api.ts';

/** Between two attempts to reload a detail. */
const retryMs = 5000;

const isOutage = (error: ApiError | undefined) => error !== undefined && (error.status === null || error.status >= 500);

/** A session's detail, reloaded when it changes, and after an outage. */
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
    /** Why there is no detail, or why it may be stale. */
    error: error as ApiError | undefined,
    isFetching,
    live,
    /** Whether the reader is the one who answered. */
    own,
    /** Whether the reader has answered an assignment whose feedback is not shown yet. */
    feedbackHidden,
    /** The owner or an admin may have recordings processed again. */
    mayReprocess: (own && !feedbackHidden) || user?.role === 'admin',
    /** The owner or an admin may delete recordings and the session. */
    mayDelete: own || user?.role === 'admin',
    /** Admins, and coaches of the group that the session was assigned in: others get no version to review. */
    mayReview: user?.role === 'admin' || data?.recordings.some(({ assessment }) => assessment?.version) === true,
    /** Admins see what a verdict used and cost. */
    seesUsage: user?.role === 'admin',
    refetch,
    /** A new media address after the token expired; '' if there is none. */
    renewMedia: async (recordingId: string) => {
      const { data: fresh } = await refetch();
      return fresh?.recordings.find(({ _id }) => _id === recordingId)?.audioUrl ?? '';
    },
  };
}
