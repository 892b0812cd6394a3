import { ActionIcon, NativeSelect } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { answerLength, minutesSeconds } from '../../lib/formats.ts';
import classes from './player.module.css';
import { playbackRates, SeekBar } from './seek-bar.tsx';
import type { Playback } from './use-playback.ts';

interface PlayerControlsProps {
  playback: Playback;
  /** What is played, as it ends 'Play …': 'answer to question 2'. */
  label: string;
  peaks: number[] | undefined;
}

function PlayerTime({ playback: { clock, state } }: { playback: Playback }) {
  // Rounded as the length is, so that the end of the recording is at its length.
  const seconds = useSyncExternalStore(clock.subscribe, () => Math.round(clock.read() / 1000));
  return (
    <span className={classes.time}>
      {minutesSeconds(seconds)}
      {state.durationMs !== null && <span className={classes.duration}> / {answerLength(state.durationMs)}</span>}
    </span>
  );
}

/** Play or pause, the place, the time, the speed: one row for audio and for video. */
export function PlayerControls({ playback, label, peaks }: PlayerControlsProps) {
  const { state } = playback;
  const busy = state.phase === 'renewing' || (state.phase === 'loading' && state.wanted);
  return (
    <div className={classes.controls}>
      <ActionIcon
        size={44}
        radius="xl"
        aria-label={`${state.wanted ? 'Pause' : 'Play'} ${label}`}
        aria-busy={busy}
        className={classes.play ?? ''}
        onClick={playback.toggle}
      >
        {state.wanted ? <IconPlayerPauseFilled size={20} /> : <IconPlayerPlayFilled size={20} />}
      </ActionIcon>
      <SeekBar playback={playback} label={`Position in the ${label}`} peaks={peaks} />
      <PlayerTime playback={playback} />
      <NativeSelect
        size="xs"
        className={classes.speed ?? ''}
        aria-label="Playback speed"
        title="Playback speed"
        value={String(playback.rate)}
        data={playbackRates.map((rate) => ({ value: String(rate), label: `${rate}×` }))}
        onChange={(event) => playback.setRate(Number(event.currentTarget.value))}
      />
    </div>
  );
}
