import type { Progress, TechnologyProgress } from '@interview-prep/contracts/history/progress';
import type { AnswerUpload } from '@interview-prep/contracts/recording/uploads';
import { withoutQuestionPrefix } from '@interview-prep/contracts/text/question-text';
import { Anchor, Button, Text, Title } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useDeferredValue } from 'react';
import { Link } from 'react-router-dom';
import classes from '../../components/now-cards.module.css';
import { dueText, type ReviewQueue } from '../../lib/api/reviewable.ts';
import { answerLength, countOf, exactTime, spokenTime, timeAgo } from '../../lib/formats.ts';
import type { NextStep } from '../../lib/next-step/next-step.ts';
import { paths } from '../../lib/paths.ts';

interface NowCardsProps {
  step: NextStep | null;
  queue: ReviewQueue;
  progress: Progress | undefined;
  /** Partial answers that only the server has, because the browser was closed. */
  cutOff: readonly AnswerUpload[];
}

/** The top of the home screen: the suggested next step, due questions, and progress so far. */
export function NowCards({ step, queue, progress, cutOff }: NowCardsProps) {
  const isReview = step?.path === paths.review;
  return (
    <div className={classes.cards}>
      {cutOff.length > 0 && <CutOffCard answers={cutOff} />}
      {step && (
        <section className={classes.card} data-main aria-label="Up next">
          <Title order={2} size="h3">
            Up next
          </Title>
          <p className={classes.reason}>{step.reason}</p>
          <Button
            component={Link}
            to={step.path}
            size="md"
            className={classes.action ?? ''}
            rightSection={<IconArrowRight size={18} aria-hidden />}
          >
            <span className={classes.label}>{step.label}</span>
          </Button>
        </section>
      )}
      {!isReview && <ReviewCard queue={queue} />}
      {progress && <ProgressCard progress={progress} />}
    </div>
  );
}

function CutOffCard({ answers }: { answers: readonly AnswerUpload[] }) {
  return (
    <section className={classes.card} data-wide aria-label="Answers that were cut off">
      <Title order={2} size="h3">
        {answers.length === 1 ? 'An answer was cut off' : `${answers.length} answers were cut off`}
      </Title>
      <ul className={classes.cutOff}>
        {answers.map(({ id, kind, setId, title, question, durationMs }) => (
          <li key={id}>
            <Text size="sm" c="dimmed">
              {title}: {withoutQuestionPrefix(question)}
              {durationMs !== null && ` (cut off after ${answerLength(durationMs)})`}
            </Text>
            <Anchor
              component={Link}
              to={kind === 'interview' ? paths.interview(setId) : paths.practiceSession(setId)}
              size="sm"
            >
              Send it or record it again
            </Anchor>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ReviewCard({ queue: { due, coming, next } }: { queue: ReviewQueue }) {
  const [first] = coming;
  // Creating the formatter is slow, and only a hover needs it.
  const isDrawn = useDeferredValue(true, false);
  if (next.length === 0) return null;
  return (
    <section className={classes.card} aria-label="Review queue">
      <Title order={2} size="h3">
        Review
      </Title>
      <Text size="sm" c="dimmed" className={classes.fact}>
        {due.length > 0
          ? dueText(next.length)
          : first && (
              <>
                You're all caught up. Next review{' '}
                <time title={isDrawn ? exactTime(first.dueAt) : undefined}>{timeAgo(first.dueAt)}</time>.
              </>
            )}
      </Text>
      <Anchor component={Link} to={due.length > 0 ? paths.review : paths.progress} size="sm">
        {due.length > 0 ? 'Start the review' : 'View schedule'}
      </Anchor>
    </section>
  );
}

/** The change in score of questions answered more than once, since only equal questions compare; else the average. */
function averageText({ average, questionCount, repeated }: TechnologyProgress): string {
  if (!repeated) return `${Math.round(average ?? 0)}%, the average of ${countOf(questionCount, 'question')}`;
  const [first, now] = [Math.round(repeated.first), Math.round(repeated.now)];
  const course = first === now ? 'as before' : `${first < now ? 'up' : 'down'} from ${first}%`;
  return `${now}%, ${course}, on ${countOf(repeated.questionCount, 'question')} you answered again`;
}

function ProgressCard({ progress: { technologies, streakDays, spokenMs, sessionCount } }: { progress: Progress }) {
  if (sessionCount === 0) return null;
  const judged = technologies.find(({ average }) => average !== null);
  return (
    <section className={classes.card} aria-label="Your progress">
      <Title order={2} size="h3">
        Progress
      </Title>
      <Text size="sm" c="dimmed" className={classes.fact}>
        {judged && (
          <>
            {judged.technology}: {averageText(judged)}
            <br />
          </>
        )}
        {streakDays}-day streak · {spokenTime(spokenMs)} spoken
      </Text>
      <Anchor component={Link} to={paths.progress} size="sm">
        See your progress
      </Anchor>
    </section>
  );
}
