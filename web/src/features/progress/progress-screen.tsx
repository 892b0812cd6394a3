import { Box, Button, Group, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconArrowRight, IconChartLine } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { failureOf, LoadFailure } from '../../components/load-failure.tsx';
import { MarkedText } from '../../components/marked-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { Screen } from '../../components/screen.tsx';
import { useProgressQuery, useReviewsQuery } from '../../lib/api/progress-api.ts';
import { dueText, type ReviewedQuestion, type ReviewQueue, reviewQueue } from '../../lib/api/reviewable.ts';
import { useListInterviewSetsQuery } from '../../lib/api/sets-api.ts';
import { countOf, exactTime, spokenTime, timeAgo } from '../../lib/formats.ts';
import { fallbacks } from '../../lib/messages.ts';
import { paths } from '../../lib/paths.ts';
import classes from './progress-screen.module.css';
import { TechnologySection } from './technology-section.tsx';

/** The number of questions listed. */
const shownMax = 10;

/** The review schedule, with a button that starts a review. */
function ReviewSection({ queue: { due, coming, next }, now }: { queue: ReviewQueue; now: number }) {
  if (next.length === 0) return null;
  const listed = [...due, ...coming].slice(0, shownMax);
  const rest = due.length + coming.length - listed.length;
  return (
    <section className={classes.card} aria-label="Review queue">
      <Group gap="sm" align="flex-start" justify="space-between" mb="md">
        <div>
          <Title order={2}>Review</Title>
          <Text size="sm" c="dimmed">
            {due.length > 0 ? `${dueText(next.length)}.` : "You're all caught up."} Questions you struggle with come
            back sooner.
          </Text>
        </div>
        <Button
          component={Link}
          to={paths.review}
          variant={due.length > 0 ? 'filled' : 'default'}
          rightSection={<IconArrowRight size={18} aria-hidden />}
        >
          Review {countOf(next.length, 'question')}
          {due.length === 0 && ' now'}
        </Button>
      </Group>
      <ol className={classes.queue}>
        {listed.map((each) => (
          <QueuedQuestion key={`${each.set._id} ${each.questionId}`} queued={each} now={now} />
        ))}
      </ol>
      {rest > 0 && (
        <Text size="sm" c="dimmed">
          {rest} more
        </Text>
      )}
    </section>
  );
}

function QueuedQuestion({ queued: { question, set, dueAt }, now }: { queued: ReviewedQuestion; now: number }) {
  return (
    <li className={classes.queued}>
      <Box component="span" miw={0}>
        <MarkedText>{question}</MarkedText>
        <Box component="span" display="block" c="dimmed" fz="xs">
          {set.technology} · {set.title}
        </Box>
      </Box>
      <time className={classes.due} title={exactTime(dueAt)} data-due={Date.parse(dueAt) <= now}>
        {Date.parse(dueAt) <= now ? 'Due' : timeAgo(dueAt, now)}
      </time>
    </li>
  );
}

/** Answers are judged in the background, so data from an earlier visit may be stale. */
const fresh = { refetchOnMountOrArgChange: true } as const;

/** The user's progress in each technology, and their review schedule. */
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
    ['Streak', countOf(progress.streakDays, 'day')],
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
