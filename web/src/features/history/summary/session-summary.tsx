import { ownQuestionCount } from '@interview-prep/contracts/recording/asked-questions';
import { editStateOf } from '@interview-prep/contracts/recording/transcription-text';
import { Box, Button, Text, VisuallyHidden } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query';
import {
  IconArrowRight,
  IconCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconLoader2,
  IconQuestionMark,
  IconX,
} from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import phoneHidden from '../../../components/phone-hidden.module.css';
import { useLastTakenQuery } from '../../../lib/api/progress-api.ts';
import { useListInterviewSetsQuery, useListPracticeSetsQuery } from '../../../lib/api/sets-api.ts';
import { countOf } from '../../../lib/formats.ts';
import { type NextStep, nextStep } from '../../../lib/next-step/next-step.ts';
import { type QuestionOutcome, type SessionScore, sessionScore } from '../../../lib/next-step/session-score.ts';
import { questionHash } from '../../../lib/paths.ts';
import { questionName } from '../../../lib/question-name.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { deliverySummary } from '../delivery/delivery-summary.ts';
import type { SessionDetail } from '../session-types.ts';
import { WentWell, WorkOn } from './lesson-lists.tsx';
import { pointsMadeWell, pointsToWorkOn } from './lessons.ts';
import { questionOutcomes } from './question-outcomes.ts';
import classes from './session-summary.module.css';
import stripClasses from './verdict-strip.module.css';

/** The appearance of each outcome. */
const outcomeLooks = {
  correct: { word: 'Correct', Icon: IconCheck },
  partly: { word: 'Partially correct', Icon: IconCircleHalf2 },
  incorrect: { word: 'Incorrect', Icon: IconX },
  pending: { word: 'In progress', Icon: IconLoader2 },
  unjudged: { word: 'Not judged', Icon: IconQuestionMark },
  unanswered: { word: 'Not answered', Icon: IconCircleDashed },
} as const satisfies Record<QuestionOutcome['state'], unknown>;

interface VerdictStripProps {
  session: Pick<SessionDetail, 'followUps'>;
  outcomes: readonly QuestionOutcome[];
  /** The path of the detail; '' on the detail itself. */
  detailPath: string;
}

/** The next step after the user's own interview; null while answers are pending or sets are loading. */
function useNextStep(detail: SessionDetail, outcomes: readonly QuestionOutcome[], own: boolean): NextStep | null {
  const user = useAppSelector(selectUser);
  const sets = useListInterviewSetsQuery(own ? undefined : skipToken);
  const practiceSets = useListPracticeSetsQuery(own ? undefined : skipToken);
  const taken = useLastTakenQuery(own && user ? { userId: user.id, email: user.email } : skipToken);
  // Suggestions that fail to load are left out; the rest of the summary doesn't depend on them.
  const settled = [sets, practiceSets, taken].every(({ isSuccess, isError }) => isSuccess || isError);
  if (!own || !settled) return null;
  const choices = { sets: sets.data ?? [], practiceSets: practiceSets.data ?? [], taken: taken.data ?? {} };
  // Follow-up questions are asked once, so the next step only concerns the set's questions.
  const session = { ...detail, questions: detail.questions.slice(0, ownQuestionCount(detail)) };
  const ofSet = outcomes.filter(({ questionId }) => questionId < session.questions.length);
  return nextStep(session, ofSet, choices);
}

interface SessionSummaryProps {
  detail: SessionDetail;
  /** Whether the reader is the one who answered. */
  own: boolean;
  /** The path of the detail; '' on the detail itself. */
  detailPath?: string;
  renewMedia: (recordingId: string) => Promise<string>;
  /** Whether to leave out what the answers below show when all are expanded. */
  short?: boolean;
}

/** 'average of 4 judged answers · 2 of 6 questions not answered' */
function scoreNote(
  { asked, judged, pending, unanswered, unjudged }: SessionScore,
  editedCount: number,
  reviewedCount: number,
): string {
  const parts = [
    judged > 0 && `average of ${judged === asked ? '' : `${judged} of `}${countOf(asked, 'question')}`,
    pending > 0 && `${pending} still being scored`,
    unanswered > 0 && `${unanswered} not answered`,
    unjudged > 0 && `${unjudged} not scored`,
    reviewedCount > 0 && `${reviewedCount} scored by a reviewer`,
    editedCount > 0 && `${editedCount} with edited words, not yet reviewed`,
  ];
  return parts.filter(Boolean).join(' · ');
}

interface ScoreLineProps extends Pick<SessionDetail, 'recordings'> {
  outcomes: readonly QuestionOutcome[];
}

/** The average of an interview, and what it includes. */
export function ScoreLine({ outcomes, recordings }: ScoreLineProps) {
  const score = sessionScore(outcomes);
  return (
    <p className={classes.line}>
      <Text span mr={4} size="xl" fw={650} lh={1.2} className="tabular">
        {score.average === null ? 'Not scored yet' : `${score.average}%`}
      </Text>{' '}
      <span className={classes.note}>
        {scoreNote(
          score,
          recordings.filter(editStateOf).length,
          recordings.filter(({ assessment }) => assessment?.review).length,
        )}
      </span>
    </p>
  );
}

/** An interview at a glance: verdicts, next step, what to work on and what went well. */
export function SessionSummary({ detail, own, detailPath = '', renewMedia, short = false }: SessionSummaryProps) {
  const outcomes = questionOutcomes(detail, own);
  const step = useNextStep(detail, outcomes, own);
  const told = short ? [] : detail.recordings;
  const workOn = pointsToWorkOn(told);
  const delivery = deliverySummary(told);
  const wentWell = pointsMadeWell(told);
  const lists = { session: detail, detailPath, renewMedia };
  return (
    <section className={classes.summary} aria-label="Summary">
      <div className={classes.top}>
        <Box flex={1} miw={0}>
          <ScoreLine outcomes={outcomes} recordings={detail.recordings} />
          <VerdictStrip session={detail} outcomes={outcomes} detailPath={detailPath} />
        </Box>
        {step && (
          <div className={classes.next} data-no-print>
            <Button
              component={Link}
              to={step.path}
              size="md"
              fullWidth
              rightSection={<IconArrowRight size={18} aria-hidden />}
            >
              <span className={classes.label}>{step.label}</span>
            </Button>
            <p className={classes.reason}>{step.reason}</p>
          </div>
        )}
      </div>
      {delivery && (
        <p className={classes.delivery}>
          <strong>Delivery</strong> {delivery}
        </p>
      )}
      {(workOn.length > 0 || wentWell.length > 0) && (
        <div className={classes.lessons}>
          {workOn.length > 0 && <WorkOn lessons={workOn} own={own} {...lists} />}
          {wentWell.length > 0 && <WentWell lessons={wentWell} {...lists} />}
        </div>
      )}
    </section>
  );
}

/** Links each question with its verdict, and tells why some have none. */
function VerdictStrip({ session, outcomes, detailPath }: VerdictStripProps) {
  const unjudged = outcomes.filter(({ state, reason }) => state === 'unjudged' && reason !== '');
  return (
    <div>
      <ol className={stripClasses.strip} aria-label="Questions">
        {outcomes.map(({ questionId, state, percentage }) => {
          const { word, Icon } = outcomeLooks[state];
          return (
            <li key={questionId}>
              <Link to={`${detailPath}${questionHash(questionId)}`} className={stripClasses.verdict} data-state={state}>
                <span className={stripClasses.number}>
                  <VisuallyHidden component="span">Question </VisuallyHidden>
                  {questionName(session, questionId).replace('Question ', '')}
                </span>
                <Icon size={15} stroke={2.25} aria-hidden className={stripClasses.icon} />
                <span>
                  <span className={percentage === null ? undefined : phoneHidden.text}>
                    {word}
                    {percentage !== null && ' · '}
                  </span>
                  {percentage !== null && `${Math.round(percentage)}%`}
                </span>
              </Link>
            </li>
          );
        })}
      </ol>
      {unjudged.map(({ questionId, reason }) => (
        <Text key={questionId} mt="xs" c="dimmed" size="xs">
          {questionName(session, questionId)}: {reason}
        </Text>
      ))}
    </div>
  );
}
