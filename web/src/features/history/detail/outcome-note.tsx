import type { SessionKind } from '@interview-prep/contracts/recordings';
import { Button } from '@mantine/core';
import { IconInfoCircle, IconMicrophone, IconRefresh } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { useReprocessMutation } from '../history-api.ts';
import classes from './recording-card.module.css';
import type { RecordingOutcome } from './recording-outcome.ts';

interface OutcomeNoteProps {
  outcome: RecordingOutcome;
  recordingId: string;
  kind: SessionKind;
  /** The id that the detail was asked for by. */
  detailId: string;
  mayReprocess: boolean;
  /** Where the candidate answers the question again. */
  recordAgainPath?: string | undefined;
}

/** Says what is missing and why. The owner or an admin can have it processed again. */
export function OutcomeNote({ outcome, recordingId, kind, detailId, mayReprocess, recordAgainPath }: OutcomeNoteProps) {
  const [reprocess, { isLoading }] = useReprocessMutation();
  const again = async () => {
    try {
      await reprocess({ recordingId, kind, detailId }).unwrap();
    } catch (error) {
      toast.error(errorMessage(error, 'Failed to process the recording again'));
    }
  };
  return (
    <div className={classes.outcome} data-failed={outcome.failed}>
      <IconInfoCircle size={18} stroke={1.5} aria-hidden />
      <span>{outcome.text}</span>
      {outcome.needsNewRecording && recordAgainPath && (
        <Button component={Link} to={recordAgainPath} size="xs" leftSection={<IconMicrophone size={14} aria-hidden />}>
          Record again
        </Button>
      )}
      {outcome.action && mayReprocess && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={isLoading}
          onClick={again}
        >
          {outcome.action}
        </Button>
      )}
    </div>
  );
}
