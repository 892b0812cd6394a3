import type { SessionKind } from '@interview-prep/contracts/recordings';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { historyApi } from '../history-api.ts';
import { useLiveUpdates } from '../live/use-live-updates.ts';
import { isPending } from './stage-progress.ts';

const { useQueryState, useQuerySubscription } = historyApi.endpoints.sessionDetail;

/** A session with what keeps it fresh: it loads again by itself while one of its recordings is worked on. */
export function useSessionDetail(kind: SessionKind, id: string) {
  const user = useAppSelector(selectUser);
  const skip = id === '';
  const { data, error, isFetching } = useQueryState({ kind, id }, { skip });
  const own = user !== null && data?.userDetails?.email === user.email;
  const live = useLiveUpdates(data?.recordings.some(isPending) ?? false, own);
  const { refetch } = useQuerySubscription(
    { kind, id },
    { skip, pollingInterval: live.pollingInterval, refetchOnMountOrArgChange: true },
  );
  return {
    detail: data,
    /** Why there is nothing, or why what there is may be old. */
    error: error as ApiError | undefined,
    isFetching,
    live: live.recordings,
    /** Whether the reader is the one who answered. */
    own,
    /** Processing again is the owner's or an admin's to ask for. */
    mayReprocess: own || user?.role === 'admin',
    refetch,
    /** A fresh address for a recording whose token has expired; '' where there is none. */
    renewMedia: async (recordingId: string) => {
      const { data: fresh } = await refetch();
      return fresh?.recordings.find(({ _id }) => _id === recordingId)?.audioUrl ?? '';
    },
  };
}
