import { Button } from '@mantine/core';
import { IconInfoCircle, IconMicrophone } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { SessionRecording } from '../session-types.ts';
import classes from './recording-card.module.css';
import { isByEarlierJudge, isByPointJudge, type RecordingOutcome } from './recording-outcome.ts';
import { type OfReprocess, ReprocessButton } from './reprocess-button.tsx';

interface JudgeNoteProps extends OfReprocess {
  recording: Pick<SessionRecording, 'assessment' | 'transcription'>;
  /** Whether the reader may have the answer scored again. */
  mayReprocess: boolean;
}

/** What the built-in judge is and can't do; or that an earlier one scored the answer, which the owner or an admin can repeat. */
export function JudgeNote({ recording, mayReprocess, ...answer }: JudgeNoteProps) {
  const { assessment, transcription } = recording;
  // Silence is judged without a judge.
  if (assessment?.status !== 'completed' || transcription.text.trim() === '') return null;
  if (isByPointJudge(assessment))
    return (
      <p className={classes.engines}>
        The judge compares what was said with the expert's points. It can't check whether examples are true, and it may
        misread numbers and rare names.
      </p>
    );
  if (!isByEarlierJudge(assessment) || assessment.review || !mayReprocess) return null;
  return (
    <div className={classes.outcome} data-no-print>
      <span>Scored by an earlier judge.</span>
      <ReprocessButton label="Rescore" {...answer} />
    </div>
  );
}

interface OutcomeNoteProps extends OfReprocess {
  outcome: RecordingOutcome;
  mayReprocess: boolean;
  /** Where the candidate answers the question again. */
  recordAgainPath?: string | undefined;
}

/** Says what is missing and why. The owner or an admin can have it processed again. */
export function OutcomeNote({ outcome, mayReprocess, recordAgainPath, ...answer }: OutcomeNoteProps) {
  return (
    <div className={classes.outcome} data-failed={outcome.failed}>
      <IconInfoCircle size={18} stroke={1.5} aria-hidden />
      <span>{outcome.text}</span>
      {outcome.needsNewRecording && recordAgainPath && (
        <Button component={Link} to={recordAgainPath} size="xs" leftSection={<IconMicrophone size={14} aria-hidden />}>
          Record again
        </Button>
      )}
      {outcome.action && mayReprocess && <ReprocessButton label={outcome.action} {...answer} />}
    </div>
  );
}
