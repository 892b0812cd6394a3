import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import type { LatestInterview } from '@interview-prep/contracts/history/progress';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { AssignedWork } from '../../components/assigned-work.tsx';
import { failureOf, LoadFailure, PartFailure } from '../../components/load-failure.tsx';
import { Screen } from '../../components/screen.tsx';
import type { ApiError } from '../../lib/api/api-error.ts';
import { useLastTakenQuery, useProgressQuery, useReviewsQuery } from '../../lib/api/progress-api.ts';
import { dueText, type ReviewQueue, reviewQueue } from '../../lib/api/reviewable.ts';
import {
  useListInterviewSetsQuery,
  useListPracticeSetsQuery,
  useListTechnologiesQuery,
} from '../../lib/api/sets-api.ts';
import { useListUploadsQuery } from '../../lib/api/uploads-api.ts';
import { countOf } from '../../lib/formats.ts';
import { fallbacks } from '../../lib/messages.ts';
import { type NextStep, type NextStepChoices, nextStep } from '../../lib/next-step/next-step.ts';
import { paths } from '../../lib/paths.ts';
import { selectUser } from '../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../lib/state/state-hooks.ts';
import { useFailureToast } from '../../lib/toasts.ts';
import { InterviewSetsSkeleton } from './interview-sets-skeleton.tsx';
import { NowCards } from './now-cards.tsx';
import { SetBrowser } from './set-browser.tsx';

/** The data behind the home screen's suggestion. */
export interface HomeChoices extends NextStepChoices {
  latest: LatestInterview | null;
  queue: ReviewQueue;
  /** The slugs of the user's technologies. */
  own: readonly string[];
}

const isShorter = (a: InterviewSet, b: InterviewSet) => a.questions.length - b.questions.length;

/** Answers are judged in the background, so data from an earlier visit may be stale. */
const fresh = { refetchOnMountOrArgChange: true } as const;

/** The home screen's data. It renders once everything has loaded or failed, so that the layout doesn't shift. */
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
  const practiced = progress.data?.technologies.map(({ technology }) => technology) ?? [];
  const slugs = practiced.flatMap((name) => technologies.data?.find((one) => one.name === name)?.slug ?? []);
  return {
    user,
    now,
    queries,
    settled: Object.values(queries).every(({ isSuccess, isError }) => isSuccess || isError),
    /** The slugs of the technologies that the user chose, or else practiced. */
    own: user && user.technologies.length > 0 ? user.technologies : slugs,
    queue: reviewQueue(reviews.data ?? { questions: [] }, sets.data ?? [], now),
    taken: lastTaken.data ?? {},
    progress: progress.data,
  };
}

/**
 * Source: product specification, section 2, route /. The filter, search and page are in the URL.
 * @param props.overview shown first, for admins
 */
export default function InterviewSetsScreen({ overview }: { overview?: ReactNode }) {
  const { user, now, queries, settled, own, queue, taken, progress } = useHomeData();
  // Few users have one, so the screen doesn't wait for it.
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

/** The first set for a user without any session: the shortest one of their technologies. */
function firstSet({ sets, own }: HomeChoices): NextStep | null {
  const ofOwn = sets.filter(({ technologySlug }) => own.includes(technologySlug));
  const [set] = (ofOwn.length > 0 ? ofOwn : sets).filter(({ questions }) => questions.length > 0).toSorted(isShorter);
  if (!set) return null;
  const count = countOf(set.questions.length, 'question');
  return {
    label: `Start with “${set.title}”`,
    reason: ofOwn.length > 0 ? `${count}, in a technology that you chose.` : `A short set to begin with: ${count}.`,
    path: paths.interview(set._id),
  };
}

/**
 * The suggested next step and the reason: the rest of the newest interview, due questions, a follow-up on the newest
 * interview, or a first set. Null if there are no sets.
 */
export function homeStep(choices: HomeChoices): NextStep | null {
  const { latest, queue } = choices;
  if (!latest) return firstSet(choices);
  const states = latest.outcomes.map(({ state }) => state);
  if (states.includes('pending')) {
    return {
      label: 'See how you did',
      reason: `Your answers to “${latest.title}” are being judged.`,
      path: paths.interviewDetail(latest._id),
    };
  }
  if (queue.due.length > 0 && !states.includes('unanswered')) {
    return {
      label: `Review ${countOf(queue.next.length, 'question')}`,
      reason: `${dueText(queue.next.length)}. Questions you struggle with come back sooner.`,
      path: paths.review,
    };
  }
  const step = nextStep(latest, latest.outcomes, choices);
  return step && { ...step, reason: `${latest.title}: ${step.reason}` };
}
