import { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import { pointStateNames, stateOf } from '@interview-prep/contracts/recording/point-states';
import type { Point } from '@interview-prep/contracts/recording/recordings';
import {
  type EarlierAnswer,
  type TrialVerdict,
  trialAnswerMaxLength,
} from '@interview-prep/contracts/recording/trials';
import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query';
import { useState } from 'react';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { detailDate } from '../../../lib/formats.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { useEarlierAnswersQuery, useTryPointsMutation } from './point-trials-api.ts';
import classes from './try-points.module.css';

interface TryPointsProps {
  /** Undefined if there can't be earlier answers. */
  setId: string | undefined;
  /** As currently edited in the form. */
  question: string;
  points: readonly ExpertPoint[];
  /** 'of expert answer 1' */
  of: string;
}

interface Tried {
  input: string;
  verdict: TrialVerdict;
}

/** Scores an answer, typed or from an earlier session, by the points in the form. */
export function TryPoints({ setId, question, points, of }: TryPointsProps) {
  const [askedFor] = useState(question);
  const { data: earlier = [] } = useEarlierAnswersQuery(
    setId === undefined || askedFor.trim() === '' ? skipToken : { setId, question: askedFor },
  );
  const [recordingId, setRecordingId] = useState('');
  const [answer, setAnswer] = useState('');
  const [tried, setTried] = useState<Tried | null>(null);
  const [tryPoints, { isLoading, error }] = useTryPointsMutation();

  const isComplete = points.every((point) => ExpertPoint.safeParse(point).success) && question.trim() !== '';
  const hasAnswer = recordingId !== '' || answer.trim() !== '';
  const input = JSON.stringify([question, points, recordingId || answer]);
  const run = async () => {
    const source = recordingId === '' ? { answer } : { recordingId };
    const { data } = await tryPoints({ question, points: [...points], ...source });
    setTried(data ? { input, verdict: data } : null);
  };

  return (
    <section className={classes.panel} aria-label={`Try the points ${of}`}>
      {earlier.length > 0 && (
        <NativeSelect
          label="Answer to try"
          value={recordingId}
          onChange={(event) => setRecordingId(event.currentTarget.value)}
          data={[
            { value: '', label: 'Type an answer' },
            ...earlier.map((each) => ({ value: each.recordingId, label: earlierLabel(each) })),
          ]}
        />
      )}
      {recordingId === '' && (
        <Textarea
          label={earlier.length > 0 ? 'Your answer' : 'Answer to try'}
          description="Write it the way someone would say it. Nothing is saved."
          autosize
          minRows={3}
          maxRows={12}
          maxLength={trialAnswerMaxLength}
          value={answer}
          onChange={(event) => setAnswer(event.currentTarget.value)}
        />
      )}
      <Group gap="sm">
        <Button size="xs" loading={isLoading} disabled={!hasAnswer || !isComplete} onClick={run}>
          Score this answer
        </Button>
        {!isComplete && <Text size="sm">Fill in the question and every point first.</Text>}
      </Group>
      <div aria-live="polite">
        {error && !isLoading && <Text size="sm">{errorMessage(error, fallbacks.tryPoints)}</Text>}
        {tried && !error && <Verdict verdict={tried.verdict} isOutdated={tried.input !== input} />}
      </div>
    </section>
  );
}

function earlierLabel({ createdAt, correctnessPercentage, firstWords }: EarlierAnswer): string {
  const score = correctnessPercentage === null ? 'Not scored' : `${correctnessPercentage}%`;
  return `${detailDate(createdAt)} · ${score} · “${firstWords}”`;
}

function Verdict({ verdict, isOutdated }: { verdict: TrialVerdict; isOutdated: boolean }) {
  const { correctnessPercentage, range, points, reason } = verdict;
  return (
    <Stack gap="xs">
      <p className={classes.total}>
        <strong>{correctnessPercentage === null ? 'Not scored' : `${correctnessPercentage}%`}</strong>
        {range && <span>{` · could be ${range.from}–${range.to}%`}</span>}
      </p>
      {isOutdated && <Text size="sm">Changed since. Score the answer again to see the difference.</Text>}
      {reason && <Text size="sm">{reason}</Text>}
      <ol className={classes.points}>
        {points.map((point, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two points may have the same text, and none moves.
          <li key={index}>
            <TriedPoint point={point} />
          </li>
        ))}
      </ol>
    </Stack>
  );
}

function TriedPoint({ point }: { point: Point }) {
  const { text, credit, weight, creditRange, evidence } = point;
  const earned = credit === undefined || weight === undefined ? '' : ` · ${credit} of ${weight}`;
  return (
    <>
      <p className={classes.text}>{text}</p>
      <p className={classes.state} data-state={stateOf(point)}>
        {pointStateNames[stateOf(point)]}
        {earned}
        {creditRange && ` · Not sure: ${creditRange.from}–${creditRange.to}`}
      </p>
      {evidence !== '' && <blockquote className={classes.quote}>“{evidence}”</blockquote>}
    </>
  );
}
