import { limits } from '@interview-prep/contracts/api/limits';
import { Box, Group, VisuallyHidden } from '@mantine/core';
import { type RefObject, useEffect, useState } from 'react';
import { countOf, minutesSeconds } from '../../../lib/formats.ts';
import type { Hearing } from '../../../lib/recording/use-sound-level.ts';
import { useSecondsSince } from '../../../lib/use-seconds-since.ts';
import classes from './recording-indicator.module.css';

/** A countdown to `atMs` (since 1970) as m:ss. Screen readers can read it, but don't announce every second. */
export function TimeLeft({ atMs }: { atMs: number }) {
  const [nowMs, setNowMs] = useState(Date.now);

  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);

  return (
    <span role="timer" aria-live="off" className="tabular">
      {minutesSeconds(Math.ceil((atMs - nowMs) / 1000))}
    </span>
  );
}

/** The remaining seconds that a screen reader announces. */
const announcedAt = [60, 30, 10] as const;

interface TimeAnnouncementProps {
  /** Milliseconds since 1970. */
  untilMs: number;
}

/** Announces the remaining time to screen readers now and then. */
function TimeAnnouncement({ untilMs }: TimeAnnouncementProps) {
  const [words, setWords] = useState('');
  useEffect(() => {
    setWords('');
    const timers = announcedAt.flatMap((seconds) => {
      const waitMs = untilMs - seconds * 1000 - Date.now();
      return waitMs > 0 ? [setTimeout(() => setWords(`${seconds} seconds left`), waitMs)] : [];
    });
    return () => timers.forEach(clearTimeout);
  }, [untilMs]);
  return <VisuallyHidden role="status">{words}</VisuallyHidden>;
}

/** Below a minute, count down in steps, since screen readers announce every change. */
const stepS = 15;

/** The remaining recording time at the current data rate, in words: '3 minutes', '45 seconds', 'a few seconds'. */
export function timeLeft(sizeBytes: number, elapsedS: number): string {
  const secondsLeft = ((limits.recordingMaxBytes - sizeBytes) / sizeBytes) * elapsedS;
  const minutes = Math.floor(secondsLeft / 60);
  if (minutes >= 1) return countOf(minutes, 'minute');
  const seconds = Math.floor(secondsLeft / stepS) * stepS;
  return seconds >= stepS ? `${seconds} seconds` : 'a few seconds';
}

/** From this size on, show the remaining space. */
const warnFromBytes = limits.recordingMaxBytes * 0.85;

interface RecordingIndicatorProps {
  /** The state in words. */
  state: string;
  /** Milliseconds since 1970; null while nothing is recorded. */
  recordingSinceMs: number | null;
  /** The end of the thinking or answering time, in milliseconds since 1970; absent or null without a limit. */
  untilMs?: number | null;
  hearing: Hearing;
  /** Whether to report silence. */
  listening: boolean;
  sizeBytes: number;
  meter: RefObject<HTMLDivElement | null>;
  /** Whether the meter is active. */
  live: boolean;
}

/** Recording dot, timer and level meter, with warnings about silence and size. */
export function RecordingIndicator(props: RecordingIndicatorProps) {
  const { state, recordingSinceMs, untilMs = null, hearing, listening, sizeBytes, meter, live } = props;
  const recording = recordingSinceMs !== null;
  const seconds = useSecondsSince(recordingSinceMs);

  return (
    <Box flex="1 1 220px" miw={0}>
      <Group gap="4px 12px" align="baseline" justify="space-between" mb="xs">
        <span className={classes.state} data-recording={recording} role="status">
          {recording && <span className={classes.dot} aria-hidden />}
          {state}
        </span>
        {seconds !== null && (
          <span className={classes.timer} role="timer" aria-label="Recording time">
            {minutesSeconds(seconds)}
          </span>
        )}
        {untilMs !== null && (
          <span className={classes.left}>
            <TimeLeft atMs={untilMs} /> left
            <TimeAnnouncement untilMs={untilMs} />
          </span>
        )}
      </Group>
      <div ref={meter} className={classes.meter} data-live={live} aria-hidden>
        <div className={classes.level} />
      </div>
      <p className={classes.hint} role="status">
        {live && listening && hearing === 'silent' && (
          <strong>We can't hear you. Speak up, or choose another microphone.</strong>
        )}
        {recording && sizeBytes > warnFromBytes && (
          <strong>This answer is close to the size limit: about {timeLeft(sizeBytes, seconds ?? 0)} left.</strong>
        )}
      </p>
    </Box>
  );
}
