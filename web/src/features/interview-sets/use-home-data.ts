import { useState } from 'react';
import { useLastTakenQuery, useProgressQuery, useReviewsQuery } from '../../lib/api/progress-api.ts';
import { reviewQueue } from '../../lib/api/reviewable.ts';
import {
  useListInterviewSetsQuery,
  useListPracticeSetsQuery,
  useListTechnologiesQuery,
} from '../../lib/api/sets-api.ts';
import { selectUser } from '../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../lib/state/state-hooks.ts';

/** Answers are judged in the background: what an earlier visit fetched may be old. */
const fresh = { refetchOnMountOrArgChange: true } as const;

/** What the first screen shows. It is shown at once when everything has arrived or failed, so that nothing moves. */
export function useHomeData() {
  const user = useAppSelector(selectUser);
  const [now] = useState(Date.now);
  const queries = {
    sets: useListInterviewSetsQuery(),
    technologies: useListTechnologiesQuery(),
    practiceSets: useListPracticeSetsQuery(),
    lastTaken: useLastTakenQuery({ userId: user?.id ?? '', email: user?.email ?? '' }, { skip: user === null }),
    progress: useProgressQuery(undefined, fresh),
    reviews: useReviewsQuery(undefined, fresh),
  };
  const { sets, technologies, lastTaken, progress, reviews } = queries;
  const practised = progress.data?.technologies.map(({ technology }) => technology) ?? [];
  const slugs = practised.flatMap((name) => technologies.data?.find((one) => one.name === name)?.slug ?? []);
  return {
    user,
    queries,
    settled: Object.values(queries).every(({ isSuccess, isError }) => isSuccess || isError),
    /** The slugs of the technologies that the user chose, else of those that they took. */
    own: user && user.technologies.length > 0 ? user.technologies : slugs,
    queue: reviewQueue(reviews.data ?? { questions: [] }, sets.data ?? [], now),
    taken: lastTaken.data ?? {},
    progress: progress.data,
  };
}
