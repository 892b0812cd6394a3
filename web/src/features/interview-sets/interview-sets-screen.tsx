import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { AssignedWork } from '../../components/assigned-work.tsx';
import { failureOf } from '../../components/failed-loads.ts';
import { LoadFailure } from '../../components/load-failure.tsx';
import { PartFailure } from '../../components/part-failure.tsx';
import { Screen } from '../../components/screen.tsx';
import type { ApiError } from '../../lib/api/api-error.ts';
import { useLastTakenQuery, useProgressQuery, useReviewsQuery } from '../../lib/api/progress-api.ts';
import { reviewQueue } from '../../lib/api/reviewable.ts';
import {
  useListInterviewSetsQuery,
  useListPracticeSetsQuery,
  useListTechnologiesQuery,
} from '../../lib/api/sets-api.ts';
import { useListUploadsQuery } from '../../lib/api/uploads-api.ts';
import { fallbacks } from '../../lib/messages.ts';
import { paths } from '../../lib/paths.ts';
import { selectUser } from '../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../lib/state/state-hooks.ts';
import { useFailureToast } from '../../lib/use-failure-toast.ts';
import { homeStep } from './home-step.ts';
import { InterviewSetsSkeleton } from './interview-sets-skeleton.tsx';
import { NowCards } from './now-cards.tsx';
import { SetBrowser } from './set-browser.tsx';

/** Answers are judged in the background: what an earlier visit fetched may be old. */
const fresh = { refetchOnMountOrArgChange: true } as const;

/** What the first screen shows. It is shown at once when everything has arrived or failed, so that nothing moves. */
function useHomeData() {
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
    now,
    queries,
    settled: Object.values(queries).every(({ isSuccess, isError }) => isSuccess || isError),
    /** The slugs of the technologies that the user chose, else of those that they took. */
    own: user && user.technologies.length > 0 ? user.technologies : slugs,
    queue: reviewQueue(reviews.data ?? { questions: [] }, sets.data ?? [], now),
    taken: lastTaken.data ?? {},
    progress: progress.data,
  };
}

/**
 * Source: product specification, section 2, route /. The filter, the search and the page are in the address.
 * @param props.overview what an admin sees first
 */
export default function InterviewSetsScreen({ overview }: { overview?: ReactNode }) {
  const { user, now, queries, settled, own, queue, taken, progress } = useHomeData();
  // Few have one: the screen does not wait for it.
  const { data: uploads = [] } = useListUploadsQuery(undefined, fresh);
  const { sets: setsQuery, technologies: technologiesQuery } = queries;
  const technologies = technologiesQuery.data ?? [];
  const error = Object.values(queries).find((query) => query.error)?.error;
  useFailureToast(error as ApiError | undefined, fallbacks.fetchData);

  const isAdmin = user?.role === 'admin';
  const screen = {
    title: 'Interview Sets',
    lead: 'Choose a set, answer aloud, and see how you did.',
    actions: isAdmin && (
      <Button component={Link} to={paths.manageSets} variant="default" size="xs">
        Manage sets
      </Button>
    ),
  };
  const failure = failureOf(
    [setsQuery, fallbacks.fetchInterviewSets],
    [technologiesQuery, fallbacks.fetchTechnologies],
    [queries.lastTaken, fallbacks.fetchInterviewHistory],
    [queries.progress, fallbacks.fetchProgress],
    [queries.reviews, fallbacks.fetchReviews],
  );
  const all = setsQuery.data;
  if (!all || !settled) {
    return <Screen {...screen}>{failure && !all ? <LoadFailure {...failure} /> : <InterviewSetsSkeleton />}</Screen>;
  }

  const cutOff = uploads.filter(({ state, nextPart }) => state === 'cut_off' && nextPart > 0);
  const step = progress
    ? homeStep({ sets: all, practiceSets: queries.practiceSets.data ?? [], taken, latest: progress.latest, queue, own })
    : null;
  return (
    <Screen {...screen}>
      {overview}
      <AssignedWork now={now} />
      <NowCards step={step} queue={queue} progress={progress} cutOff={cutOff} />
      <SetBrowser
        sets={all}
        technologies={technologies}
        own={own}
        taken={taken}
        editable={isAdmin}
        isFirstStep={isAdmin && technologiesQuery.isSuccess && all.length === 0}
        failure={failure && <PartFailure mt="md" {...failure} />}
      />
    </Screen>
  );
}
