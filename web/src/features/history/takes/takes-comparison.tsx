import type { QuestionTake } from '@interview-prep/contracts/history/history';
import { pointShares, pointStateNames, stateOf } from '@interview-prep/contracts/recording/point-states';
import type { Point, PointState } from '@interview-prep/contracts/recording/recordings';
import { Box, Radio, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { MarkedText } from '../../../components/marked-text.tsx';
import { SharedPlaybackProvider } from '../../../components/player/shared-playback.tsx';
import { Screen } from '../../../components/screen.tsx';
import { DetailDate } from '../../../components/times.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { answerLength } from '../../../lib/formats.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { paths, questionHash } from '../../../lib/paths.ts';
import { DetailSkeleton } from '../detail/detail-skeleton.tsx';
import { PointText } from '../detail/point-text.tsx';
import { BackLink } from '../detail/session-header.tsx';
import { VerdictBadge } from '../detail/verdict-badge.tsx';
import { useQuestionTakesQuery } from '../history-api.ts';
import { sessionKinds } from '../session-kinds.ts';
import { TakePanel } from './take-panel.tsx';
import classes from './takes-comparison.module.css';

export default function TakesScreen() {
  const { interviewId = '', number = '' } = useParams();
  return <TakesComparison key={`${interviewId} ${number}`} interviewId={interviewId} questionId={Number(number) - 1} />;
}

/** A point that differs between two takes. */
interface PointChange {
  text: string;
  from: PointState;
  to: PointState;
}

/** The points that differ between two takes. */
interface PointChanges {
  won: PointChange[];
  lost: PointChange[];
}

/** The points that the later take covers better or worse than the earlier one. Skips points of another expert answer. */
export function pointChanges(earlier: readonly Point[], later: readonly Point[]): PointChanges {
  const before = new Map(earlier.map((point) => [point.text, stateOf(point)]));
  const changes = later.flatMap((point) => {
    const from = before.get(point.text);
    return from === undefined ? [] : [{ text: point.text, from, to: stateOf(point) }];
  });
  return {
    won: changes.filter(({ from, to }) => pointShares[to] > pointShares[from]),
    lost: changes.filter(({ from, to }) => pointShares[to] < pointShares[from]),
  };
}

interface TakesComparisonProps {
  interviewId: string;
  /** Zero-based. */
  questionId: number;
}

/** Columns that don't fit on a phone, which shows them under the date. */
const wideOnly: ReadonlySet<string> = new Set(['Words per minute', 'Length']);

/** The two takes are side by side; on a phone, stacked. */
const comparedSides = [
  { side: 'left', name: 'Compare from' },
  { side: 'right', name: 'Compare to' },
] as const;

const lengthOf = ({ durationMs }: QuestionTake) => (durationMs === null ? '–' : answerLength(durationMs));

/** '0:45 · 120 words per minute' */
function spokenFacts(take: QuestionTake): string {
  const pace = take.delivery?.wordsPerMinute;
  return typeof pace !== 'number' ? lengthOf(take) : `${lengthOf(take)} · ${pace} words per minute`;
}

/** All takes of a question and a side-by-side comparison of two, initially the newest and the one before it. */
function TakesComparison({ interviewId, questionId }: TakesComparisonProps) {
  const { data, error, isFetching, refetch } = useQuestionTakesQuery(
    { id: interviewId, questionId },
    { refetchOnMountOrArgChange: true },
  );
  const [chosen, setChosen] = useState<{ left: string | null; right: string | null }>({ left: null, right: null });
  usePageTitle(data && `Takes · ${sessionKinds.interview.heading}`);
  const title = 'Takes side by side';
  if (error && !data) {
    const message = errorMessage(error, sessionKinds.interview.messages.detailFailed);
    return (
      <Screen title={title}>
        <LoadFailure message={message} onRetry={refetch} retrying={isFetching} />
      </Screen>
    );
  }
  if (!data) return <DetailSkeleton />;

  const { takes, question } = data;
  const takeOf = (id: string | null, fallback: QuestionTake | undefined) =>
    takes.find(({ _id }) => _id === id) ?? fallback;
  const right = takeOf(chosen.right, takes.at(-1));
  const left = takes.length > 1 ? takeOf(chosen.left, takes.at(-2)) : undefined;
  const sides = takes.length > 1 ? comparedSides : [];
  const changes = left && right && pointChanges(left.assessment.points ?? [], right.assessment.points ?? []);
  const renewMedia = async (recordingId: string) => {
    const { data: fresh } = await refetch();
    return fresh?.takes.find(({ _id }) => _id === recordingId)?.audioUrl ?? '';
  };
  return (
    <Screen>
      <BackLink to={`${paths.interviewDetail(interviewId)}${questionHash(questionId)}`}>Interview</BackLink>
      <Title order={1}>{title}</Title>
      <Box m="4px 0 20px" c="dimmed">
        <MarkedText>{question}</MarkedText>
      </Box>
      <Table className={classes.takes ?? ''} aria-label="Takes, oldest first">
        <Table.Thead>
          <Table.Tr>
            {['Take', 'Score', 'Words per minute', 'Length'].map((name) => (
              <Table.Th key={name} className={wideOnly.has(name) ? (classes.wide ?? '') : ''}>
                {name}
              </Table.Th>
            ))}
            {sides.map(({ side, name }) => (
              <Table.Th key={side} className={classes.choice ?? ''}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {takes.map((take, index) => (
            <Table.Tr key={take._id}>
              <Table.Td>
                {index + 1} · <DetailDate at={take.createdAt} />
                <span className={classes.facts}>{spokenFacts(take)}</span>
              </Table.Td>
              <Table.Td>
                <VerdictBadge recording={take} compact />
                {take.isCorrect === null && 'Not judged'}
              </Table.Td>
              <Table.Td className={classes.wide ?? ''}>{take.delivery?.wordsPerMinute ?? '–'}</Table.Td>
              <Table.Td className={classes.wide ?? ''}>{lengthOf(take)}</Table.Td>
              {sides.map(({ side, name }) => (
                <Table.Td key={side} className={classes.choice ?? ''}>
                  <Radio
                    name={side}
                    checked={(side === 'left' ? left : right)?._id === take._id}
                    onChange={() => setChosen({ ...chosen, [side]: take._id })}
                    aria-label={`${name}: take ${index + 1}`}
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {takes.length === 1 && (
        <Text mb={20} c="dimmed" size="sm">
          There is one take so far. Answer the question again to compare.
        </Text>
      )}
      {changes && (
        <div className={classes.changes}>
          <Changes
            expertAnswer={right?.chatGPTResponse}
            title="Better than before"
            points={changes.won}
            none="No point got better."
          />
          <Changes
            expertAnswer={right?.chatGPTResponse}
            title="Worse than before"
            points={changes.lost}
            none="No point got worse."
          />
        </div>
      )}
      <SharedPlaybackProvider>
        <div className={classes.sides}>
          {left && <TakePanel key={left._id} take={left} number={takes.indexOf(left) + 1} renewMedia={renewMedia} />}
          {right && (
            <TakePanel
              key={right._id}
              take={right}
              number={takes.indexOf(right) + 1}
              before={left}
              renewMedia={renewMedia}
            />
          )}
        </div>
      </SharedPlaybackProvider>
    </Screen>
  );
}

interface ChangesProps {
  title: string;
  points: readonly PointChange[];
  /** From the later take: a point may be a clause of one of its sentences. */
  expertAnswer: string | undefined;
  none: string;
}

function Changes({ title, points, expertAnswer, none }: ChangesProps) {
  return (
    <section>
      <Title order={2} size="h3">
        {title}{' '}
        <Box component="span" c="dimmed" fw={500}>
          {points.length}
        </Box>
      </Title>
      {points.length === 0 ? (
        <Text mt={6} c="dimmed" size="xs">
          {none}
        </Text>
      ) : (
        <Box component="ul" m="8px 0 0" pl={20} fz="sm">
          {points.map(({ text, from, to }) => (
            <li key={text}>
              <PointText text={text} expertAnswer={expertAnswer} />
              <Box component="span" display="block" c="dimmed" fz="xs">
                {pointStateNames[from]} → {pointStateNames[to]}
              </Box>
            </li>
          ))}
        </Box>
      )}
    </section>
  );
}
