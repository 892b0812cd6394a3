import { correctedWordsMax, countWords, transcriptMaxLength } from '@interview-prep/contracts/recording/corrections';
import type { SessionKind, Transcription } from '@interview-prep/contracts/recording/recordings';
import { Button, Group, Textarea } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { useCorrectTranscriptMutation } from './corrections-api.ts';

interface CorrectTranscriptProps {
  recordingId: string;
  kind: SessionKind;
  detailId: string;
  transcription: Pick<Transcription, 'text' | 'original' | 'proposed'>;
}

const hints: Record<SessionKind, string> = {
  interview:
    'Correct words that were misheard. We keep the original, mark your edits and rescore the answer. If you change more than a third of the words, or add words where you did not speak, a reviewer decides first.',
  practice: 'Correct words that were misheard. We keep the original and mark your edits.',
};

/** Lets the one who answered correct the transcript. */
export function CorrectTranscript({ recordingId, kind, detailId, transcription }: CorrectTranscriptProps) {
  const { text, original, proposed } = transcription;
  const heard = original?.text ?? text;
  const [draft, setDraft] = useState<string | null>(null);
  const [correct, { isLoading }] = useCorrectTranscriptMutation();
  const field = useRef<HTMLTextAreaElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  const isOpen = draft !== null;

  useEffect(() => {
    if (isOpen) field.current?.focus();
    else if (wasOpen.current) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);

  if (draft === null) {
    return (
      <Button
        ref={opener}
        variant="subtle"
        size="compact-sm"
        mt={6}
        leftSection={<IconPencil size={14} aria-hidden />}
        onClick={() => setDraft(proposed?.text ?? text)}
      >
        Edit the transcript
      </Button>
    );
  }
  const wanted = draft.trim();
  const most = correctedWordsMax(countWords(heard));
  const error = countWords(wanted) > most && `Use at most ${most.toLocaleString('en-US')} words`;
  const save = async () => {
    try {
      const { message } = await correct({ recordingId, kind, detailId, text: wanted }).unwrap();
      toast.success(message);
      setDraft(null);
    } catch (error) {
      toast.error(errorMessage(error, 'Failed to correct the transcript'));
    }
  };
  return (
    <>
      <Textarea
        ref={field}
        mt="sm"
        label="What you said"
        description={hints[kind]}
        autosize
        minRows={3}
        maxRows={16}
        maxLength={transcriptMaxLength}
        error={error}
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      <Group mt="xs" gap="xs">
        <Button
          size="xs"
          loading={isLoading}
          disabled={wanted === '' || (wanted === text && !proposed) || error !== false}
          onClick={save}
        >
          {kind === 'interview' ? 'Save and rescore' : 'Save correction'}
        </Button>
        <Button size="xs" variant="default" disabled={isLoading} onClick={() => setDraft(null)}>
          Cancel
        </Button>
      </Group>
    </>
  );
}
