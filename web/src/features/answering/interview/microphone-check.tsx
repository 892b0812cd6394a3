import { Button, Group, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Hearing } from '../../../lib/recording/use-sound-level.ts';
import classes from './microphone-check.module.css';
import { useEnterKey } from './use-enter-key.ts';

/** Counts down from `seconds` while `running`, then calls `onEnd` once. A pause resets it. */
function useCountdown(seconds: number, running: boolean, onEnd: () => void): number {
  const [left, setLeft] = useState(seconds);

  useEffect(() => {
    if (!running) {
      setLeft(seconds);
      return;
    }
    if (left === 0) {
      onEnd();
      return;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [running, left, seconds, onEnd]);

  return left;
}

/** Time to check the level meter. */
const countdownSeconds = 5;

const unheardAdvice =
  'We can’t hear you yet. Speak up, move closer, or choose another microphone below. You can start all the same.';

/** Whether the microphone has picked up sound since the check began. */
function useOnceHeard(hearing: Hearing): boolean {
  const [heard, setHeard] = useState(false);
  useEffect(() => {
    if (hearing === 'heard') setHeard(true);
  }, [hearing]);
  return heard;
}

interface MicrophoneCheckProps {
  /** Whether the microphone is open and there are no unsent answers. */
  ready: boolean;
  hearing: Hearing;
  /** Describes what precedes each recording, and its time limit. */
  times: string;
  /** From 1; higher after a reload. */
  questionNumber: number;
  questionCount: number;
  onBegin: () => void;
}

/** A microphone check before the first question, which starts on its own once sound is heard, unless the candidate pauses it. */
export function MicrophoneCheck(props: MicrophoneCheckProps) {
  const { ready, hearing, times, questionNumber, questionCount, onBegin } = props;
  const [waiting, setWaiting] = useState(false);
  const heard = useOnceHeard(hearing);
  const left = useCountdown(countdownSeconds, ready && heard && !waiting, onBegin);
  useEnterKey(ready, onBegin);
  const goesOn = questionNumber > 1;

  return (
    <div className={classes.check}>
      <Title order={1}>{goesOn ? 'Welcome back' : 'Check your microphone'}</Title>
      <Text mt="sm" c="dimmed">
        {goesOn
          ? `Your answers before question ${questionNumber} of ${questionCount} are saved. `
          : 'Say a few words: the bar below moves with your voice. '}
        {ready ? times : 'Allow the microphone when your browser asks.'}
      </Text>
      <Text mt="md" fw={550} role="status" className={classes.status}>
        {ready && heard && 'We can hear you.'}
        {ready && !heard && hearing === 'silent' && unheardAdvice}
      </Text>
      {ready && (
        <Group mt="lg">
          <Button size="md" onClick={onBegin}>
            {goesOn ? `Continue with question ${questionNumber}` : 'Start now'}
          </Button>
          {heard && !waiting && (
            <Button size="md" variant="default" onClick={() => setWaiting(true)}>
              Wait
            </Button>
          )}
          <Text size="sm" c="dimmed" className="tabular">
            {waiting || !heard ? 'Take your time.' : `Question ${questionNumber} starts in ${left} s`}
          </Text>
        </Group>
      )}
    </div>
  );
}
