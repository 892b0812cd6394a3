import type { ProposedTranscript, Transcription } from '@interview-prep/contracts/recording/recordings';
import { type EditState, editStateOf } from '@interview-prep/contracts/recording/transcription-text';
import { Box, Text, UnstyledButton } from '@mantine/core';
import { diffWords } from 'diff';
import { useId, useState } from 'react';
import type { SessionRecording } from '../session-types.ts';
import classes from './correction.module.css';

const marks: Record<EditState, { label: string; title: string }> = {
  counts: {
    label: 'Edited words',
    title: 'This score depends on words that were edited. No reviewer has confirmed it.',
  },
  'in-review': { label: 'Sent for review', title: 'A reviewer decides about the edited transcript.' },
};

/** Notes that a score depends on edited words, until the answer has been reviewed. */
export function EditMark({ recording }: { recording: SessionRecording }) {
  const state = editStateOf(recording);
  if (!state) return null;
  return <span title={marks[state].title}>{marks[state].label}</span>;
}

/** Diffing is quadratic in the number of edits. Beyond this, the edited text is shown without highlights. */
const editsMax = 2000;

interface EditedTranscriptProps {
  /** The original transcript. */
  original: string;
  /** The candidate's edited text. */
  text: string;
  note: string;
  /** The object of the button's label: 'the original'. */
  shows: string;
}

/** A diff of the transcript, collapsed at first. */
function EditedTranscript({ original, text, note, shows }: EditedTranscriptProps) {
  const [opened, setOpened] = useState(false);
  const id = useId();
  return (
    <Box mt={6}>
      <Text c="dimmed" size="xs">
        {note}{' '}
        <UnstyledButton
          className={classes.toggle ?? ''}
          aria-expanded={opened}
          aria-controls={id}
          onClick={() => setOpened(!opened)}
        >
          {opened ? 'Hide' : 'Show'} {shows}
        </UnstyledButton>
      </Text>
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
    </Box>
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
  /** Whether the answer has been reviewed. */
  reviewed: boolean;
}

/** The candidate's edits of the transcript, and the edit pending review. */
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
