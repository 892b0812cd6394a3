import { ActionIcon, Box, Button, NativeSelect } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconVideoOff, IconVolumeOff } from '@tabler/icons-react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { answerLength, minutesSeconds } from '../../lib/formats.ts';
import { messages } from '../../lib/messages.ts';
import { type MediaKind, mediaAddress } from './media-kind.ts';
import classes from './player.module.css';
import { playbackRates, SeekBar } from './seek-bar.tsx';
import type { Playback } from './use-playback.ts';

interface PlayerControlsProps {
  playback: Playback;
  /** Completes 'Play …', as in 'answer to question 2'. */
  label: string;
  peaks: number[] | undefined;
}

function PlayerTime({ playback: { clock, state } }: { playback: Playback }) {
  // Rounded like the duration, so that both match at the end.
  const seconds = useSyncExternalStore(clock.subscribe, () => Math.round(clock.read() / 1000));
  return (
    <span className={classes.time}>
      {minutesSeconds(seconds)}
      {state.durationMs !== null && (
        <Box component="span" c="dimmed">
          {' '}
          / {answerLength(state.durationMs)}
        </Box>
      )}
    </span>
  );
}

/** Play button, seek bar, time and speed in one row, for audio and video. */
function PlayerControls({ playback, label, peaks }: PlayerControlsProps) {
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
        flex="none"
        w={84}
        aria-label="Playback speed"
        title="Playback speed"
        value={String(playback.rate)}
        data={playbackRates.map((rate) => ({ value: String(rate), label: `${rate}×` }))}
        onChange={(event) => playback.setRate(Number(event.currentTarget.value))}
      />
    </div>
  );
}

interface RecordingPlayerProps {
  playback: Playback;
  kind: MediaKind;
  /** Completes 'Play …', as in 'answer to question 2'. */
  label: string;
  peaks?: number[] | undefined;
  /** Why the media was deleted, if it was. */
  goneReason?: string | undefined;
}

const gone: Record<Exclude<MediaKind, 'unsupported'>, { text: string; Icon: typeof IconVolumeOff }> = {
  audio: { text: messages.interviews.noAudio, Icon: IconVolumeOff },
  video: { text: 'Video recording not available', Icon: IconVideoOff },
};

function GoneNote({ kind, children }: { kind: MediaKind; children: ReactNode }) {
  const Icon = kind === 'audio' ? gone.audio.Icon : gone.video.Icon;
  return (
    <p className={classes.gone}>
      <Icon size={18} stroke={1.5} aria-hidden />
      {children}
    </p>
  );
}

/** Plays a recording, or says why it can't. */
export function RecordingPlayer({ playback, kind, label, peaks, goneReason }: RecordingPlayerProps) {
  const { state } = playback;
  if (goneReason !== undefined) return <GoneNote kind={kind}>{goneReason}</GoneNote>;
  if (kind === 'unsupported') return <p className={classes.gone}>{messages.practice.unsupportedMedia}</p>;

  if (state.phase === 'failed') {
    return (
      <GoneNote kind={kind}>
        {gone[kind].text}
        {state.source !== '' && (
          <Button variant="subtle" size="compact-sm" onClick={playback.retry}>
            Try again
          </Button>
        )}
      </GoneNote>
    );
  }

  // Audio of known duration loads on demand; video preloads to show its first frame.
  const preload = kind === 'audio' && state.durationMs !== null ? 'none' : 'metadata';
  return (
    <div className={classes.player} data-no-print>
      {kind === 'video' ? (
        // biome-ignore lint/a11y/useMediaCaption: the transcript next to it is the caption.
        <video
          ref={playback.attach}
          src={mediaAddress(state.source)}
          preload={preload}
          playsInline
          className={classes.video}
          onClick={playback.toggle}
        />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: the transcript next to it is the caption.
        <audio ref={playback.attach} src={mediaAddress(state.source)} preload={preload} />
      )}
      <PlayerControls playback={playback} label={label} peaks={peaks} />
    </div>
  );
}
