import { pointStateNames } from '@interview-prep/contracts/recording/point-states';
import type { PointState } from '@interview-prep/contracts/recording/recordings';
import { MarkedText } from '../../../components/marked-text.tsx';
import classes from './review.module.css';

/** What a person said about points. Nothing where they said nothing. */
export function DecidedPoints({ points }: { points: readonly { text: string; state: PointState; reason: string }[] }) {
  if (points.length === 0) return null;
  return (
    <ul className={classes.comments}>
      {points.map(({ text, state, reason }) => (
        <li key={text}>
          <MarkedText>{text}</MarkedText>
          <span className={classes.label}>
            {pointStateNames[state]}
            {reason && `: ${reason}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
