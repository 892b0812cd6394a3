import { Button, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Hearing } from '../../../lib/recording/use-sound-level.ts';
import { useCountdown } from './use-countdown.ts';
import { useEnterKey } from './use-enter-key.ts';

/** Time to see the meter move before the first question. */
const countdownSeconds = 5;

interface MicrophoneCheckProps {
  /** The microphone is open, and nothing else has to be decided first. */
  ready: boolean;
  hearing: Hearing;
  /** From 1: a reload goes on where it was. */
  questionNumber: number;
  questionCount: number;
  onBegin: () => void;
}

/** The moment before the first question: is the microphone heard? Then it begins by itself, unless one wants to wait. */
export function MicrophoneCheck({ ready, hearing, questionNumber, questionCount, onBegin }: MicrophoneCheckProps) {
  const [waiting, setWaiting] = useState(false);
  const left = useCountdown(countdownSeconds, ready && !waiting, onBegin);
  useEnterKey(ready, onBegin);
  const goesOn = questionNumber > 1;

  return (
    <>
      <Title order={1}>{goesOn ? 'Welcome back' : 'Check your microphone'}</Title>
      <Text mt="sm" c="dimmed">
        {goesOn
          ? `Your answers before question ${questionNumber} of ${questionCount} are saved. `
          : 'Say a few words: the bar below moves with your voice. '}
        {ready ? 'Recording starts as soon as each question appears.' : 'Allow the microphone when your browser asks.'}
      </Text>
      <Text mt="md" fw={550} role="status">
        {ready && hearing === 'heard' && 'We can hear you.'}
      </Text>
      {ready && (
        <Group mt="lg">
          <Button size="md" onClick={onBegin}>
            {goesOn ? `Continue with question ${questionNumber}` : 'Start now'}
          </Button>
          {!waiting && (
            <Button size="md" variant="default" onClick={() => setWaiting(true)}>
              Wait
            </Button>
          )}
          <Text size="sm" c="dimmed" className="tabular">
            {waiting ? 'Take your time.' : `Question ${questionNumber} starts in ${left} s`}
          </Text>
        </Group>
      )}
    </>
  );
}
