import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { Button, Text } from '@mantine/core';
import { IconInfoCircle, IconMicrophone, IconRefresh } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { type OfAnswer, useReprocessMutation } from '../history-api.ts';
import type { SessionRecording } from '../session-types.ts';
import classes from './recording-card.module.css';
import { isByEarlierJudge, isByPointJudge, type RecordingOutcome } from './recording-outcome.ts';

/** The answer to reprocess. */
interface OfReprocess extends OfAnswer {
  kind: SessionKind;
}

/** Reprocesses an answer. */
function ReprocessButton({ label, ...answer }: OfReprocess & { label: string }) {
  const [reprocess, { isLoading }] = useReprocessMutation();
  const again = async () => {
    try {
      await reprocess(answer).unwrap();
    } catch (error) {
      toast.error(errorMessage(error, 'Failed to process the recording again'));
    }
  };
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconRefresh size={14} aria-hidden />}
      loading={isLoading}
      onClick={again}
    >
      {label}
    </Button>
  );
}

interface JudgeNoteProps extends OfReprocess {
  recording: Pick<SessionRecording, 'assessment' | 'transcription'>;
  /** Whether the reader may have the answer rescored. */
  mayReprocess: boolean;
}

/** Explains the built-in judge's limits; or that an earlier version scored the answer, which can be rescored. */
export function JudgeNote({ recording, mayReprocess, ...answer }: JudgeNoteProps) {
  const { assessment, transcription } = recording;
  // Silence is scored without a judge.
  if (assessment?.status !== 'completed' || transcription.text.trim() === '') return null;
  if (isByPointJudge(assessment))
    return (
      <Text c="dimmed" size="xs">
        The judge compares what was said with the expert's points. It can't check whether examples are true, and it may
        misread numbers and rare names.
      </Text>
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
  /** The path for answering the question again. */
  recordAgainPath?: string | undefined;
}

/** Explains what is missing and why. The owner or an admin can reprocess the answer. */
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
