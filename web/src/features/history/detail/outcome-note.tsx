import { Button } from '@mantine/core';
import { IconInfoCircle, IconMicrophone } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import classes from './recording-card.module.css';
import type { RecordingOutcome } from './recording-outcome.ts';
import { type OfReprocess, ReprocessButton } from './reprocess-button.tsx';

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
