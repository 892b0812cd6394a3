import { Button, Text, Title } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { MarkedText } from '../../components/marked-text.tsx';
import { dueText, type ReviewedQuestion, type ReviewQueue } from '../../lib/api/reviewable.ts';
import { exactTime, timeAgo } from '../../lib/formats.ts';
import { paths } from '../../lib/paths.ts';
import classes from './progress-screen.module.css';

/** How many questions are listed. */
const shownMax = 10;

/** What comes back for review, and the button that begins a session with it. */
export function ReviewSection({ queue: { due, coming, next }, now }: { queue: ReviewQueue; now: number }) {
  if (next.length === 0) return null;
  const listed = [...due, ...coming].slice(0, shownMax);
  const rest = due.length + coming.length - listed.length;
  return (
    <section className={classes.card} aria-label="Review queue">
      <div className={classes.head}>
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
          Review {next.length} {next.length === 1 ? 'question' : 'questions'}
          {due.length === 0 && ' now'}
        </Button>
      </div>
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
      <span className={classes.question}>
        <MarkedText>{question}</MarkedText>
        <span className={classes.from}>
          {set.technology} · {set.title}
        </span>
      </span>
      <time className={classes.due} title={exactTime(dueAt)} data-due={Date.parse(dueAt) <= now}>
        {Date.parse(dueAt) <= now ? 'Due' : timeAgo(dueAt, now)}
      </time>
    </li>
  );
}
