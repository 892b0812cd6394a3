import { Button, Skeleton, Title, VisuallyHidden } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { failureOf } from '../../components/failed-loads.ts';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { Screen } from '../../components/screen.tsx';
import { useProgressQuery, useReviewsQuery } from '../../lib/api/progress-api.ts';
import { reviewQueue } from '../../lib/api/reviewable.ts';
import { useListInterviewSetsQuery } from '../../lib/api/sets-api.ts';
import { spokenTime } from '../../lib/formats.ts';
import { fallbacks } from '../../lib/messages.ts';
import { paths } from '../../lib/paths.ts';
import classes from './progress-screen.module.css';
import { ReviewSection } from './review-section.tsx';
import { TechnologySection } from './technology-section.tsx';

/** Answers are judged in the background: what an earlier visit fetched may be old. */
const fresh = { refetchOnMountOrArgChange: true } as const;

/** What a person has reached in each technology, and which questions come back. */
export default function ProgressScreen() {
  const progressQuery = useProgressQuery(undefined, fresh);
  const reviewsQuery = useReviewsQuery(undefined, fresh);
  const setsQuery = useListInterviewSetsQuery();
  const [now] = useState(Date.now);
  const progress = progressQuery.data;
  const screen = { title: 'My Progress', lead: 'How your answers change, and what to practice next.' };
  const failure = failureOf(
    [progressQuery, fallbacks.fetchProgress],
    [reviewsQuery, fallbacks.fetchReviews],
    [setsQuery, fallbacks.fetchInterviewSets],
  );
  if (!progress || !reviewsQuery.data || !setsQuery.data) {
    return <Screen {...screen}>{failure ? <LoadFailure {...failure} /> : <ProgressSkeleton />}</Screen>;
  }
  if (progress.sessionCount === 0) {
    return (
      <Screen {...screen}>
        <Notice
          icon={<IconChartLine size={32} stroke={1.5} />}
          title="Nothing to show yet."
          action={
            <Button component={Link} to={paths.home}>
              Choose a set
            </Button>
          }
        >
          Your progress begins with your first interview.
        </Notice>
      </Screen>
    );
  }
  const facts = [
    ['Streak', `${progress.streakDays} ${progress.streakDays === 1 ? 'day' : 'days'}`],
    ['Sessions', String(progress.sessionCount)],
    ['Time spoken', spokenTime(progress.spokenMs)],
  ] as const;
  return (
    <Screen {...screen}>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name} className={classes.tile}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ReviewSection queue={reviewQueue(reviewsQuery.data, setsQuery.data, now)} now={now} />
      <Title order={2} mb="sm">
        Technologies
      </Title>
      {progress.technologies.map((technology) => (
        <TechnologySection key={technology.technology} progress={technology} />
      ))}
    </Screen>
  );
}

function ProgressSkeleton() {
  return (
    <>
      <VisuallyHidden role="status">Loading your progress…</VisuallyHidden>
      <div aria-hidden>
        <Skeleton height={84} mb="lg" />
        <Skeleton height={160} mb="lg" />
        <Skeleton height={320} />
      </div>
    </>
  );
}
