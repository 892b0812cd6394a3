import { limits } from '@interview-prep/contracts/limits';
import type { RefObject } from 'react';
import { minutesSeconds } from '../../app/formats.ts';
import { messages } from '../../app/messages.ts';
import type { Phase } from './recorder-machine.ts';
import { audioBitsPerSecond } from './recording-format.ts';
import classes from './recording-indicator.module.css';
import { useSecondsSince } from './use-seconds-since.ts';
import type { Hearing } from './use-sound-level.ts';

/** From here on the person is told how much room is left. */
const warnFromBytes = limits.recordingMaxBytes * 0.85;

interface RecordingIndicatorProps {
  phase: Phase;
  hearing: Hearing;
  sizeBytes: number;
  meter: RefObject<HTMLDivElement | null>;
  /** Whether there is a signal to show. */
  live: boolean;
}

const words: Partial<Record<Phase['name'], string>> = {
  check: 'Microphone',
  recording: messages.recorder.inProgress,
  stopping: 'Saving your answer',
  uploading: messages.recorder.uploading,
  held: 'Answer not sent yet',
  refused: 'Nothing recorded',
  unheard: 'Not recording',
  completed: 'All answers saved',
};

/** The recording dot with its word, the timer, the level of the real signal, and what the person should know of them. */
export function RecordingIndicator({ phase, hearing, sizeBytes, meter, live }: RecordingIndicatorProps) {
  const recording = phase.name === 'recording';
  const seconds = useSecondsSince(recording ? phase.startedAtMs : null);
  const minutesLeft = Math.max(1, Math.floor(((limits.recordingMaxBytes - sizeBytes) * 8) / audioBitsPerSecond / 60));

  return (
    <div className={classes.indicator}>
      <div className={classes.line}>
        <span className={classes.state} data-recording={recording} role="status">
          {recording && <span className={classes.dot} aria-hidden />}
          {words[phase.name] ?? 'Initializing...'}
        </span>
        {seconds !== null && (
          <span className={classes.timer} role="timer" aria-label="Recording time">
            {minutesSeconds(seconds)}
          </span>
        )}
      </div>
      <div ref={meter} className={classes.meter} data-live={live} aria-hidden>
        <div className={classes.level} />
      </div>
      <p className={classes.hint} role="status">
        {live && hearing === 'silent' && (recording || phase.name === 'check') && (
          <strong>We can't hear you. Speak up, or choose another microphone.</strong>
        )}
        {recording && sizeBytes > warnFromBytes && (
          <strong>
            This answer is nearly as long as can be saved: about {minutesLeft}{' '}
            {minutesLeft === 1 ? 'minute' : 'minutes'} left.
          </strong>
        )}
      </p>
    </div>
  );
}
