import { editStateOf } from '@interview-prep/contracts/edited-words';
import { Button } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { type SessionScore, sessionScore } from '../../../lib/next-step/session-score.ts';
import { deliverySummary } from '../delivery/delivery-summary.ts';
import type { SessionDetail } from '../session-types.ts';
import { WentWell, WorkOn } from './lesson-lists.tsx';
import { pointsMadeWell, pointsToWorkOn } from './lessons.ts';
import { questionOutcomes } from './question-outcomes.ts';
import classes from './session-summary.module.css';
import { useNextStep } from './use-next-step.ts';
import { VerdictStrip } from './verdict-strip.tsx';

interface SessionSummaryProps {
  detail: SessionDetail;
  /** Whether the reader is the one who answered. */
  own: boolean;
  /** The address of the detail; '' on the detail itself. */
  detailPath?: string;
  renewMedia: (recordingId: string) => Promise<string>;
}

/** 'average of 4 judged answers · 2 of 6 questions not answered' */
function scoreNote({ asked, judged, pending, unanswered, unjudged }: SessionScore, editedCount: number): string {
  const parts = [
    judged > 0 &&
      `average of ${judged === asked ? (asked === 1 ? '' : 'all ') : `${judged} of `}${asked} ${asked === 1 ? 'question' : 'questions'}`,
    pending > 0 && `${pending} still being judged`,
    unanswered > 0 && `${unanswered} not answered`,
    unjudged > 0 && `${unjudged} not judged`,
    editedCount > 0 && `${editedCount} with edited words, not yet reviewed`,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** An interview at a glance: the verdicts, the next step, what to work on and what went well. */
export function SessionSummary({ detail, own, detailPath = '', renewMedia }: SessionSummaryProps) {
  const outcomes = questionOutcomes(detail, own);
  const score = sessionScore(outcomes);
  const step = useNextStep(detail, outcomes, own);
  const workOn = pointsToWorkOn(detail.recordings);
  const delivery = deliverySummary(detail.recordings);
  const wentWell = pointsMadeWell(detail.recordings);
  const lists = { session: detail, detailPath, renewMedia };
  return (
    <section className={classes.summary} aria-label="Summary">
      <div className={classes.top}>
        <div className={classes.score}>
          <p className={classes.line}>
            <span className={classes.average}>{score.average === null ? 'Not scored yet' : `${score.average}%`}</span>{' '}
            <span className={classes.note}>{scoreNote(score, detail.recordings.filter(editStateOf).length)}</span>
          </p>
          <VerdictStrip session={detail} outcomes={outcomes} detailPath={detailPath} />
        </div>
        {step && (
          <div className={classes.next}>
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
