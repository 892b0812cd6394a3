import { pointStateNames } from '@interview-prep/contracts/point-states';
import type { Point } from '@interview-prep/contracts/recordings';
import classes from './correction.module.css';

/** 'partly covered, 6 of 16' */
function finding({ state, credit }: Pick<NonNullable<Point['claim']>, 'state' | 'credit'>, weight: number | undefined) {
  const name = pointStateNames[state].toLowerCase();
  return credit === undefined || weight === undefined ? name : `${name}, ${credit} of ${weight}`;
}

/** What the judge found in the words that the candidate named, beside what it found in the whole answer. */
export function ClaimNote({ point, own }: { point: Point; own: boolean }) {
  const { claim, machine, weight } = point;
  if (!claim) return null;
  return (
    <p className={classes.claim}>
      {own ? 'You' : 'The candidate'} marked <q>{claim.text}</q>: <strong>{finding(claim, weight)}</strong>
      {claim.reason && ` (${claim.reason.replace(/\.$/, '')})`}.{' '}
      {machine && (
        <>
          In the whole answer: <strong>{finding(machine, weight)}</strong>.
        </>
      )}
    </p>
  );
}
