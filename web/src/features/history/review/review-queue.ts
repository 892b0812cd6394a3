import type { ReviewItem, ReviewQueueQuery } from '@interview-prep/contracts/recording/reviews';
import { skipToken } from '@reduxjs/toolkit/query';
import { type To, useLocation, useNavigate } from 'react-router-dom';
import { paths, questionHash } from '../../../lib/paths.ts';
import { toast } from '../../../lib/toasts.ts';
import { useLazyReviewQueueQuery, useReviewQueueQuery } from './reviews-api.ts';

/** An answer opened from the queue, as history state: a reload keeps it, and a copied URL doesn't include it. */
interface Reviewing {
  recordingId: string;
  filter: ReviewQueueQuery;
}

/** The queue's filter as URL parameters. */
function queueAddress({ cause, groupId, assignmentId, page }: ReviewQueueQuery): string {
  const fields = { cause, group: groupId, assignment: assignmentId, page: page === 1 ? undefined : String(page) };
  const given = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const hash = new URLSearchParams(given).toString();
  return hash === '' ? paths.appeals : `${paths.appeals}#${hash}`;
}

/** The review page of an answer in the queue, with its link state. */
export function toReview(
  { recordingId, interviewId, questionId }: Pick<ReviewItem, 'recordingId' | 'interviewId' | 'questionId'>,
  filter: ReviewQueueQuery,
): { to: To; state: { reviewing: Reviewing } } {
  return {
    to: { pathname: paths.interviewDetail(interviewId), hash: questionHash(questionId) },
    state: { reviewing: { recordingId, filter } },
  };
}

/** The queue that the answer was opened from: its position there, and the next one. */
export interface QueuePlace {
  recordingId: string;
  /** Changes with each opened answer. */
  visit: string;
  /** The number of waiting answers, including this one; undefined until known. */
  total: number | undefined;
  back: string;
  /** Opens the next answer, or the queue if nothing else is waiting. */
  next: () => Promise<void>;
}

/** The queue position that the answer was opened from; null if the page was opened another way. */
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
      // Continue on this page, then start over to include skipped answers.
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
      toast.success('No more answers to review');
      void navigate(queueAddress({ ...filter, page: 1 }));
    },
  };
}
