import type { ReviewItem, ReviewQueueQuery } from '@interview-prep/contracts/recording/reviews';
import { skipToken } from '@reduxjs/toolkit/query';
import { type To, useLocation, useNavigate } from 'react-router-dom';
import { paths, questionHash } from '../../../lib/paths.ts';
import { toast } from '../../../lib/toasts.ts';
import { useLazyReviewQueueQuery, useReviewQueueQuery } from './reviews-api.ts';

/** An answer that was opened from the queue: it is in the history entry, so that a reload keeps it and a copied address has none. */
interface Reviewing {
  recordingId: string;
  filter: ReviewQueueQuery;
}

/** The filter as the queue's address has it. */
function queueAddress({ cause, groupId, assignmentId, page }: ReviewQueueQuery): string {
  const fields = { cause, group: groupId, assignment: assignmentId, page: page === 1 ? undefined : String(page) };
  const given = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const hash = new URLSearchParams(given).toString();
  return hash === '' ? paths.appeals : `${paths.appeals}#${hash}`;
}

/** Where an answer of the queue is reviewed, and the state that says so. */
export function toReview(
  { recordingId, interviewId, questionId }: Pick<ReviewItem, 'recordingId' | 'interviewId' | 'questionId'>,
  filter: ReviewQueueQuery,
): { to: To; state: { reviewing: Reviewing } } {
  return {
    to: { pathname: paths.interviewDetail(interviewId), hash: questionHash(questionId) },
    state: { reviewing: { recordingId, filter } },
  };
}

/** The queue that the shown answer was opened from: its place there, and the way to the next. */
export interface QueuePlace {
  recordingId: string;
  /** Changes with each answer that is opened. */
  visit: string;
  /** How many wait, this one counted; undefined until it is known. */
  total: number | undefined;
  back: string;
  /** Opens the next answer, or the queue where nothing else waits. */
  next: () => Promise<void>;
}

/** The place in the queue of the answer that was opened from there; null where the page was reached another way. */
export function useQueuePlace(): QueuePlace | null {
  const { state, key } = useLocation();
  const navigate = useNavigate();
  const reviewing = (state as { reviewing?: Reviewing } | null)?.reviewing;
  const { data } = useReviewQueueQuery(reviewing?.filter ?? skipToken);
  const [fetchQueue] = useLazyReviewQueueQuery();
  if (!reviewing) return null;
  const { recordingId, filter } = reviewing;
  const items = data?.items ?? [];
  const place = items.findIndex((item) => item.recordingId === recordingId);
  return {
    recordingId,
    visit: key,
    total: data?.total,
    back: queueAddress(filter),
    next: async () => {
      // What follows on this page; then from the start, where those are that were skipped.
      let following = place === -1 ? undefined : items[place + 1];
      let page = filter.page;
      if (!following) {
        page = 1;
        const { data: first } = await fetchQueue({ ...filter, page });
        following = first?.items.find((item) => item.recordingId !== recordingId);
      }
      if (following) {
        const { to, state: nextState } = toReview(following, { ...filter, page });
        return void navigate(to, { state: nextState });
      }
      toast.success('Nothing else waits for a review');
      void navigate(queueAddress({ ...filter, page: 1 }));
    },
  };
}
