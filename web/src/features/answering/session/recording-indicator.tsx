import { limits } from '@interview-prep/contracts/api/limits';
import type { RefObject } from 'react';
import { minutesSeconds } from '../../../lib/formats.ts';
import { timeLeft } from '../../../lib/recording/time-left.ts';
import type { Hearing } from '../../../lib/recording/use-sound-level.ts';
import { useSecondsSince } from '../../../lib/use-seconds-since.ts';
import classes from './recording-indicator.module.css';
import { TimeAnnouncement } from './time-announcement.tsx';
import { TimeLeft } from './time-left.tsx';

/** From this size on, show how much room is left. */
const warnFromBytes = limits.recordingMaxBytes * 0.85;

interface RecordingIndicatorProps {
  /** The state in words. */
  state: string;
  /** Milliseconds since 1970; null while nothing is recorded. */
  recordingSinceMs: number | null;
  /** When the time to think, or to answer, is over, in milliseconds since 1970; absent or null where it is not limited. */
  untilMs?: number | null;
  hearing: Hearing;
  /** Whether to report silence. */
  listening: boolean;
  sizeBytes: number;
  meter: RefObject<HTMLDivElement | null>;
  /** Whether the meter moves. */
  live: boolean;
}

/** Recording dot, timer, level meter, and warnings about silence and size. */
export function RecordingIndicator(props: RecordingIndicatorProps) {
  const { state, recordingSinceMs, untilMs = null, hearing, listening, sizeBytes, meter, live } = props;
  const recording = recordingSinceMs !== null;
  const seconds = useSecondsSince(recordingSinceMs);

  return (
    <div className={classes.indicator}>
      <div className={classes.line}>
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
      </div>
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
    </div>
  );
}
