import type { Point } from '@interview-prep/contracts/recordings';
import { VisuallyHidden } from '@mantine/core';
import { IconPlayerPlayFilled } from '@tabler/icons-react';
import type { Playback } from '../../../components/player/use-playback.ts';
import { minutesSeconds } from '../../../lib/formats.ts';
import classes from './points.module.css';
import { quoteOf } from './quote-of.ts';

/** What is above a quote that is more, or less, than the words that earn the point. */
function labelOf({ evidence, across }: Point): string | null {
  if (evidence === '') return 'Closest match';
  return across ? 'Across the answer' : null;
}

/** What the candidate said for a point or against it, or came nearest to it; a click plays it where its time is known. */
export function PointQuote({ point, playback }: { point: Point; playback: Playback }) {
  const quote = quoteOf(point);
  if (!quote) return null;
  const { text, startMs, endMs } = quote;
  const label = labelOf(point);
  const words = <q className={classes.quote}>{text}</q>;
  return (
    <div className={classes.evidence}>
      {label && <span className={classes.label}>{label}</span>}
      {startMs === undefined || endMs === undefined || playback.state.phase === 'failed' ? (
        words
      ) : (
        <button type="button" className={classes.play} data-print onClick={() => playback.playMoment(startMs, endMs)}>
          <IconPlayerPlayFilled size={12} aria-hidden className={classes.playIcon} />
          {words}
          <VisuallyHidden>, play from {minutesSeconds(startMs / 1000)}</VisuallyHidden>
        </button>
      )}
    </div>
  );
}
