import { VisuallyHidden } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { mediaAddress } from '../../../components/player/media-address.ts';
import { usePlayback } from '../../../components/player/use-playback.ts';
import { minutesSeconds } from '../../../lib/formats.ts';
import type { SessionRecording } from '../session-types.ts';
import classes from './moment-quote.module.css';

interface MomentQuoteProps {
  /** The candidate's words. */
  text: string;
  /** Where they are in the recording; without a time they cannot be played. */
  startMs: number | undefined;
  endMs: number | undefined;
  recording: SessionRecording;
  renewMedia: (recordingId: string) => Promise<string>;
}

/** Words of a recording; a click plays only them. */
export function MomentQuote({ text, startMs, endMs, recording, renewMedia }: MomentQuoteProps) {
  const playback = usePlayback(recording.audioUrl, recording.durationMs, () => renewMedia(recording._id));
  const { phase, source, wanted } = playback.state;
  if (startMs === undefined || endMs === undefined || phase === 'failed')
    return <q className={classes.quote}>{text}</q>;
  const Icon = wanted ? IconPlayerPauseFilled : IconPlayerPlayFilled;
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: the quotation is the caption. */}
      <audio ref={playback.attach} src={mediaAddress(source)} preload="none" />
      <button
        type="button"
        className={classes.play}
        onClick={() => (wanted ? playback.toggle() : playback.playMoment(startMs, endMs))}
      >
        <Icon size={14} aria-hidden className={classes.icon} />
        <VisuallyHidden>{wanted ? 'Pause' : `Play from ${minutesSeconds(startMs / 1000)}`}: </VisuallyHidden>
        <q className={classes.quote}>{text}</q>
      </button>
    </>
  );
}
