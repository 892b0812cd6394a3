import type { Word } from '@interview-prep/contracts/recording/recordings';
import { Box, Button, Group, Modal, Text, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts.ts';
import classes from './correction.module.css';
import { useClaimPointMutation } from './corrections-api.ts';

interface ClaimDialogProps {
  recordingId: string;
  detailId: string;
  /** The point's index in the verdict, and its text. */
  index: number;
  text: string;
  words: readonly Word[];
  onClose: () => void;
}

/** The words of a range, in order. */
const rangeOf = (anchor: number, end: number) => ({
  firstWord: Math.min(anchor, end),
  lastWord: Math.max(anchor, end),
});

/** Lets the candidate mark the words that make a point. */
export function ClaimDialog({ recordingId, detailId, index, text, words, onClose }: ClaimDialogProps) {
  const [anchor, setAnchor] = useState<number | null>(null);
  const [end, setEnd] = useState<number | null>(null);
  const [current, setCurrent] = useState(0);
  const [claim, { isLoading }] = useClaimPointMutation();
  const container = useRef<HTMLDivElement>(null);
  const range = anchor === null ? null : rangeOf(anchor, end ?? anchor);

  const choose = (at: number) => {
    setCurrent(at);
    if (anchor === null || end !== null) {
      setAnchor(at);
      setEnd(null);
    } else setEnd(at);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = current + step;
    if (step === 0 || next < 0 || next >= words.length) return;
    event.preventDefault();
    setCurrent(next);
    container.current?.querySelector<HTMLElement>(`[data-at="${next}"]`)?.focus();
  };
  const send = async () => {
    if (range === null) return;
    try {
      const { message } = await claim({ recordingId, detailId, point: index, ...range }).unwrap();
      toast.success(message);
      onClose();
    } catch (error) {
      toast.error(errorMessage(error, 'Failed to rescore the point'));
    }
  };
  return (
    <Modal opened onClose={onClose} title="I said this" size="lg">
      <Box component="p" m="0 0 12px" fw={600}>
        {text}
      </Box>
      <Text size="sm">
        Select the first and the last word that make this point. We'll rescore this point using only those words.
      </Text>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame of its own. */}
      <div ref={container} className={classes.words} role="group" aria-label="Your words" onKeyDown={onKeyDown}>
        {words.map(({ word }, at) => {
          // Words may repeat, so the index is the key.
          const key = `${at}`;
          return (
            <span key={key}>
              <UnstyledButton
                className={classes.word ?? ''}
                data-at={at}
                tabIndex={at === current ? 0 : -1}
                aria-pressed={range !== null && at >= range.firstWord && at <= range.lastWord}
                onClick={() => choose(at)}
              >
                {word}
              </UnstyledButton>{' '}
            </span>
          );
        })}
      </div>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={range === null} loading={isLoading} onClick={send}>
          Rescore
        </Button>
      </Group>
    </Modal>
  );
}
