import {
  expertAnswerText,
  expertSentence,
  type PointInSentence,
} from '@interview-prep/contracts/catalog/expert-sentence';
import { stateOf } from '@interview-prep/contracts/recording/point-states';
import type { Point, PointState } from '@interview-prep/contracts/recording/recordings';
import { Box, VisuallyHidden } from '@mantine/core';
import { IconPlayerPlayFilled } from '@tabler/icons-react';
import type { Playback } from '../../../components/player/use-playback.ts';
import { SentencePart } from '../../../components/sentence-part.tsx';
import { minutesSeconds } from '../../../lib/formats.ts';
import pointsClasses from './points.module.css';

const states: readonly PointState[] = ['covered', 'partial', 'contradicted', 'missing'];

/** The points in display order: by state, best first, then in the order of the expert answer. */
export function orderPoints(points: readonly Point[]): Point[] {
  return points.toSorted((a, b) => states.indexOf(stateOf(a)) - states.indexOf(stateOf(b)));
}

/** Whether the judge is unsure of a point's state and no reviewer has decided it. */
export function isUnsure({ creditRange }: Pick<Point, 'creditRange'>): boolean {
  return creditRange !== undefined;
}

/**
 * The sum of the credits, in display order: '12 + 8 + 0 = 20%'. Null if a point has no credit, or if the credits don't
 * add up to the percentage.
 */
export function creditSum(points: readonly Point[], percentage: number | null | undefined): string | null {
  const credits = orderPoints(points).map(({ credit }) => credit);
  if (credits.length === 0 || credits.some((credit) => credit === undefined)) return null;
  const sum = credits.reduce<number>((total, credit) => total + (credit ?? 0), 0);
  return sum === percentage ? `${credits.join(' + ')} = ${sum}%` : null;
}

/** The candidate's words for a point, or the closest match, with their time if known; null if there are none. */
export function quoteOf({ evidence, startMs, endMs, nearest }: Point) {
  if (evidence !== '') return { text: evidence, startMs, endMs };
  return nearest ? { text: nearest.text, startMs: nearest.startMs, endMs: nearest.endMs } : null;
}

/** The label of a quote that doesn't exactly match the evidence. */
function labelOf({ evidence, across }: Point): string | null {
  if (evidence === '') return 'Closest match';
  return across ? 'Across the answer' : null;
}

/** The candidate's words for or against a point, or the closest match; a click plays them if their time is known. */
export function PointQuote({ point, playback }: { point: Point; playback: Playback }) {
  const quote = quoteOf(point);
  if (!quote) return null;
  const { text, startMs, endMs } = quote;
  const label = labelOf(point);
  const words = <q className={pointsClasses.quote}>{text}</q>;
  return (
    <Box maw="var(--reading-width)">
      {label && <span className={pointsClasses.label}>{label}</span>}
      {startMs === undefined || endMs === undefined || playback.state.phase === 'failed' ? (
        words
      ) : (
        <button
          type="button"
          className={pointsClasses.play}
          data-print
          onClick={() => playback.playMoment(startMs, endMs)}
        >
          <IconPlayerPlayFilled size={12} aria-hidden className={pointsClasses.playIcon} />
          {words}
          <VisuallyHidden>, play from {minutesSeconds(startMs / 1000)}</VisuallyHidden>
        </button>
      )}
    </Box>
  );
}

interface PointTextProps {
  text: string;
  expertAnswer: string | undefined;
  /** The text of the point above. */
  above?: string | undefined;
}

/** A point within its full sentence of the expert answer, which isn't repeated for the next point. */
export function PointText({ text, expertAnswer, above }: PointTextProps) {
  const answer = expertAnswerText(expertAnswer);
  const part = expertSentence(text, answer);
  const isContinued = part.before !== '' && above !== undefined && whole(expertSentence(above, answer)) === whole(part);
  return <SentencePart {...(isContinued ? { ...part, before: '…', after: '' } : part)} />;
}

const whole = ({ before, point, after }: PointInSentence) => before + point + after;
