import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import { mixedSetId } from '@interview-prep/contracts/recording/mixed-sessions';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { failureOf, LoadFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Screen } from '../../../components/screen.tsx';
import { useReviewsQuery } from '../../../lib/api/progress-api.ts';
import { reviewQueue } from '../../../lib/api/reviewable.ts';
import { useListInterviewSetsQuery } from '../../../lib/api/sets-api.ts';
import { useIsFresh } from '../../../lib/api/use-is-fresh.ts';
import { countOf } from '../../../lib/formats.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { paths } from '../../../lib/paths.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { firstOpen, type SessionPlan } from '../session/session-progress.ts';
import { useBegunInterviewQuery } from './begun-interview-api.ts';
import { planOfBegun, planOfReview } from './interview-plan.ts';
import { InterviewSession } from './interview-session.tsx';
import { InterviewSkeleton } from './interview-skeleton.tsx';

/** The set that the recorder shows and sends for a session with several sets. */
function mixedSet(plan: SessionPlan, sets: readonly InterviewSet[]): InterviewSet {
  const its = sets.filter(({ _id }) => plan.sources?.some(({ setId }) => setId === _id));
  const updatedAt =
    its
      .map((set) => set.updatedAt)
      .toSorted()
      .at(-1) ?? new Date().toISOString();
  return {
    _id: mixedSetId,
    id: mixedSetId,
    title: `Review of ${countOf(plan.questions.length, 'question')}`,
    technology: its[0]?.technology ?? '',
    technologySlug: '',
    status: 'published',
    questions: [...plan.questions],
    tags: [],
    createdBy: null,
    createdAt: updatedAt,
    updatedAt,
  };
}

/** A review session: the due questions, or else those due soonest, from several sets. */
export default function ReviewScreen() {
  const [search] = useSearchParams();
  const [now] = useState(Date.now);
  const continued = search.get('continue') ?? '';
  const begun = useBegunInterviewQuery({ id: continued }, { skip: continued === '', refetchOnMountOrArgChange: true });
  const reviews = useReviewsQuery(undefined, { refetchOnMountOrArgChange: true });
  const sets = useListInterviewSetsQuery(undefined, { refetchOnMountOrArgChange: true });
  const isFresh = [useIsFresh(reviews), useIsFresh(sets)].every(Boolean);
  const user = useAppSelector(selectUser);
  usePageTitle('Review');

  const failure = failureOf(
    [reviews, fallbacks.fetchReviews],
    [sets, fallbacks.fetchInterviewSets],
    [begun, fallbacks.fetchInterviewDetails],
  );
  if (failure) {
    return (
      <Screen>
        <LoadFailure {...failure} />
      </Screen>
    );
  }
  if (!reviews.data || !sets.data || !isFresh || begun.isFetching || !user) return <InterviewSkeleton />;
  const interview = begun.data;
  const plan = interview ? planOfBegun(interview) : planOfReview(reviewQueue(reviews.data, sets.data, now).next);
  if (plan.questions.length === 0) {
    return (
      <Screen width="form" title="Review">
        <Notice
          title="There is nothing to review yet."
          action={
            <Button component={Link} to={paths.home}>
              Choose a set
            </Button>
          }
        >
          Each question that you answer in an interview comes back here.
        </Notice>
      </Screen>
    );
  }
  const isOver = plan.begun && firstOpen(plan.asked.length, plan.begun.saved) === null;
  if (interview && (isOver || interview.userId !== user.id || interview.interviewSetId !== mixedSetId)) {
    return <Navigate to={paths.interviewDetail(interview._id)} replace />;
  }
  return (
    <InterviewSession key={continued} set={mixedSet(plan, sets.data)} sets={sets.data} plan={plan} userId={user.id} />
  );
}
