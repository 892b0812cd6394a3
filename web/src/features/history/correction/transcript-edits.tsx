import type { ProposedTranscript, Transcription } from '@interview-prep/contracts/recording/recordings';
import { UnstyledButton } from '@mantine/core';
import { diffWords } from 'diff';
import { useId, useState } from 'react';
import classes from './correction.module.css';

/** Comparing takes time quadratic in the edits. Beyond this the edited text is shown without marks. */
const editsMax = 2000;

interface EditedTranscriptProps {
  /** What was heard. */
  original: string;
  /** What the candidate edited it to. */
  text: string;
  note: string;
  /** What the button shows: 'the original'. */
  shows: string;
}

/** The edits of a transcript, folded at first. */
function EditedTranscript({ original, text, note, shows }: EditedTranscriptProps) {
  const [opened, setOpened] = useState(false);
  const id = useId();
  return (
    <div className={classes.original}>
      <p className={classes.note}>
        {note}{' '}
        <UnstyledButton
          className={classes.toggle ?? ''}
          aria-expanded={opened}
          aria-controls={id}
          onClick={() => setOpened(!opened)}
        >
          {opened ? 'Hide' : 'Show'} {shows}
        </UnstyledButton>
      </p>
      <p id={id} hidden={!opened} className={classes.changes}>
        {opened &&
          (
            diffWords(original, text, { maxEditLength: editsMax }) ?? [{ value: text, added: false, removed: false }]
          ).map(({ value, added, removed }, index) => {
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

const whys: Record<ProposedTranscript['why'], string> = {
  changed: 'More than a third of the words changed.',
  unspoken: 'Words were added where nothing was spoken.',
};

interface TranscriptEditsProps {
  transcription: Pick<Transcription, 'text' | 'original' | 'proposed'>;
  /** Whether the reader is the one who answered. */
  own: boolean;
  /** Whether a person has judged the answer. */
  reviewed: boolean;
}

/** What the candidate changed of the transcript, and the edit that waits for a person. */
export function TranscriptEdits({ transcription: { text, original, proposed }, own, reviewed }: TranscriptEditsProps) {
  const who = own ? 'you' : 'the candidate';
  const waits = reviewed ? '' : ' Sent for review: until a reviewer decides, the score is for the words as heard.';
  return (
    <>
      {original && (
        <EditedTranscript original={original.text} text={text} note={`Edited by ${who}.`} shows="the original" />
      )}
      {proposed && (
        <EditedTranscript
          original={text}
          text={proposed.text}
          note={`Not scored: an edit by ${who}. ${whys[proposed.why]}${waits}`}
          shows="the edit"
        />
      )}
    </>
  );
}
