import type { SessionKind } from '@interview-prep/contracts/recordings';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { historyApi } from '../history-api.ts';
import { useLiveUpdates } from '../live/use-live-updates.ts';
import type { SessionRecording } from '../session-types.ts';
import { isPending } from './stage-progress.ts';

const { useQueryState, useQuerySubscription } = historyApi.endpoints.sessionDetail;

/** Whether the candidate has asked a person who has not answered yet. */
const awaitsPerson = ({ assessment }: SessionRecording) => assessment?.appeal !== undefined && !assessment.review;

/** A session's detail, reloaded while one of its recordings is being processed. */
export function useSessionDetail(kind: SessionKind, id: string) {
  const user = useAppSelector(selectUser);
  const skip = id === '';
  // The state apart from the subscription, since the data decides how often to poll.
  const { data, error, isFetching } = useQueryState({ kind, id }, { skip });
  const own = user !== null && data?.userDetails?.email === user.email;
  // Live messages reach only the one who answered; for others the detail is polled more often.
  const changes = data?.recordings.some((recording) => isPending(recording) || (own && awaitsPerson(recording)));
  const live = useLiveUpdates(changes ?? false, own);
  const { refetch } = useQuerySubscription(
    { kind, id },
    { skip, pollingInterval: live.pollingInterval, refetchOnMountOrArgChange: true },
  );
  return {
    detail: data,
    /** Why there is no detail, or why it may be stale. */
    error: error as ApiError | undefined,
    isFetching,
    live: live.recordings,
    /** Whether the reader is the one who answered. */
    own,
    /** The owner or an admin may have recordings processed again. */
    mayReprocess: own || user?.role === 'admin',
    /** The owner or an admin may delete recordings and the session. */
    mayDelete: own || user?.role === 'admin',
    /** Admins judge where the candidate asks a person. */
    mayReview: user?.role === 'admin',
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
