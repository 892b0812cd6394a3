import { Button } from '@mantine/core';
import { IconVideoOff, IconVolumeOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { messages } from '../../lib/messages.ts';
import { type MediaKind, mediaAddress } from './media-kind.ts';
import classes from './player.module.css';
import { PlayerControls } from './player-controls.tsx';
import type { Playback } from './use-playback.ts';

interface RecordingPlayerProps {
  playback: Playback;
  kind: MediaKind;
  /** What is played, as it ends 'Play …': 'answer to question 2'. */
  label: string;
  peaks?: number[] | undefined;
  /** Why there is no media any more; absent where there is. */
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

/** Plays a recording, or says why it cannot. */
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

  // Audio of known length loads on demand; a video shows its first frame.
  const preload = kind === 'audio' && state.durationMs !== null ? 'none' : 'metadata';
  return (
    <div className={classes.player} data-no-print>
      {kind === 'video' ? (
        // biome-ignore lint/a11y/useMediaCaption: the transcription beside it is the caption.
        <video
          ref={playback.attach}
          src={mediaAddress(state.source)}
          preload={preload}
          playsInline
          className={classes.video}
          onClick={playback.toggle}
        />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: the transcription beside it is the caption.
        <audio ref={playback.attach} src={mediaAddress(state.source)} preload={preload} />
      )}
      <PlayerControls playback={playback} label={label} peaks={peaks} />
    </div>
  );
}
