import { VisuallyHidden } from '@mantine/core';
import {
  IconCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconLoader2,
  IconQuestionMark,
  IconX,
} from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import phoneHidden from '../../../components/phone-hidden.module.css';
import type { QuestionOutcome } from '../../../lib/next-step/session-score.ts';
import { questionHash } from '../../../lib/question-hash.ts';
import { questionName } from '../../../lib/question-name.ts';
import type { SessionDetail } from '../session-types.ts';
import classes from './verdict-strip.module.css';

/** How each outcome looks. */
export const outcomeLooks = {
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
  /** The address of the detail; '' on the detail itself. */
  detailPath: string;
}

/** A link to each question with its verdict, and why some have none. */
export function VerdictStrip({ session, outcomes, detailPath }: VerdictStripProps) {
  const unjudged = outcomes.filter(({ state, reason }) => state === 'unjudged' && reason !== '');
  return (
    <div>
      <ol className={classes.strip} aria-label="Questions">
        {outcomes.map(({ questionId, state, percentage }) => {
          const { word, Icon } = outcomeLooks[state];
          return (
            <li key={questionId}>
              <Link to={`${detailPath}${questionHash(questionId)}`} className={classes.verdict} data-state={state}>
                <span className={classes.number}>
                  <VisuallyHidden component="span">Question </VisuallyHidden>
                  {questionName(session, questionId).replace('Question ', '')}
                </span>
                <Icon size={15} stroke={2.25} aria-hidden className={classes.icon} />
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
        <p key={questionId} className={classes.reason}>
          {questionName(session, questionId)}: {reason}
        </p>
      ))}
    </div>
  );
}
