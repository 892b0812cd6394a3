import { UnstyledButton } from '@mantine/core';
import { diffWords } from 'diff';
import { useId, useState } from 'react';
import classes from './correction.module.css';

interface OriginalTranscriptProps {
  /** What was heard. */
  original: string;
  /** What the candidate corrected it to. */
  text: string;
  /** Whether the reader is the one who answered. */
  own: boolean;
}

/** What was heard, with what the candidate changed; folded at first. */
export function OriginalTranscript({ original, text, own }: OriginalTranscriptProps) {
  const [opened, setOpened] = useState(false);
  const id = useId();
  return (
    <div className={classes.original}>
      <p className={classes.note}>
        {own ? 'Edited by you.' : 'Edited by the candidate.'}{' '}
        <UnstyledButton
          className={classes.toggle ?? ''}
          aria-expanded={opened}
          aria-controls={id}
          onClick={() => setOpened(!opened)}
        >
          {opened ? 'Hide the original' : 'Show the original'}
        </UnstyledButton>
      </p>
      <p id={id} hidden={!opened} className={classes.changes}>
        {opened &&
          diffWords(original, text).map(({ value, added, removed }, index) => {
            // Parts may repeat, so the index is the key.
            const key = `${index}`;
            if (added) return <ins key={key}>{value}</ins>;
            if (removed) return <del key={key}>{value}</del>;
            return <span key={key}>{value}</span>;
          })}
      </p>
    </div>
  );
}
