import { pointStateNames, stateOf } from '@interview-prep/contracts/recording/point-states';
import type { Point, PointState, Word } from '@interview-prep/contracts/recording/recordings';
import { Button, Group, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowsDiff, IconCheck, IconChevronRight, IconCircleHalf2, IconMinus } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { Playback } from '../../../components/player/use-playback.ts';
import correctionClasses from '../correction/correction.module.css';
import type { OfAnswer } from '../history-api.ts';
import { RequestReview } from '../review/request-review.tsx';
import { isUnsure, PointQuote, PointText } from './point-text.tsx';
import classes from './points.module.css';
import { reasonFor } from './recording-outcome.ts';
import { isUncertain } from './spoken-words.ts';

/** 'partly covered, 6 of 16' */
function finding({ state, credit }: Pick<NonNullable<Point['claim']>, 'state' | 'credit'>, weight: number | undefined) {
  const name = pointStateNames[state].toLowerCase();
  return credit === undefined || weight === undefined ? name : `${name}, ${credit} of ${weight}`;
}

/** The judge's result for the words that the candidate marked, next to that for the whole answer. */
function ClaimNote({ point, own }: { point: Point; own: boolean }) {
  const { claim, machine, weight } = point;
  if (!claim) return null;
  return (
    <p className={correctionClasses.claim}>
      {own ? 'You' : 'The candidate'} marked <q>{claim.text}</q>: <strong>{finding(claim, weight)}</strong>
      {claim.reason && claim.state !== 'missing' && ` (${reasonFor(claim.reason, own).replace(/\.$/, '')})`}.{' '}
      {machine && (
        <>
          In the whole answer: <strong>{finding(machine, weight)}</strong>.
        </>
      )}
    </p>
  );
}

const icons = {
  covered: IconCheck,
  partial: IconCircleHalf2,
  missing: IconMinus,
  contradicted: IconArrowsDiff,
} as const satisfies Record<PointState, unknown>;

interface PointLineProps {
  point: Point;
  /** The text of the point above. */
  above: string | undefined;
  expertAnswer: string | undefined;
  /** The transcript's words, for their confidence. */
  words: readonly Word[];
  playback: Playback;
  /** Whether the reader is the one who answered. */
  own: boolean;
  /** Lets the reader claim that the point was made; absent if they may not. */
  onClaim?: (() => void) | undefined;
  /** The answer, if the reader may request a human review. */
  appeals?: OfAnswer | undefined;
}

/** A point with its state and credit, expandable to words and reason. Starts expanded if it has more to say than its line. */
export function PointLine({ point, above, expertAnswer, words, playback, own, onClaim, appeals }: PointLineProps) {
  const state = stateOf(point);
  const unsure = isUnsure(point);
  const { review, claim } = point;
  // The reason is the judge's, for its own state.
  const overruled = review !== undefined && review.before.state !== state;
  const [opened, setOpened] = useState(state === 'contradicted' || claim !== undefined || Boolean(review?.reason));
  const id = useId();
  const Icon = icons[state];
  const mayClaim = onClaim && state !== 'covered';
  const mayAppeal = appeals && unsure;
  const text = <PointText text={point.text} expertAnswer={expertAnswer} above={above} />;
  const opposed = state === 'contradicted' && point.evidence !== '';
  return (
    <li className={classes.point} data-state={state}>
      <UnstyledButton
        className={classes.line ?? ''}
        aria-expanded={opened}
        aria-controls={id}
        onClick={() => setOpened(!opened)}
      >
        <Group component="span" gap="2px 8px" fw={600}>
          <Icon size={16} stroke={2.25} aria-hidden className={classes.icon} />
          <span>{pointStateNames[state]}</span>
          {unsure && <span className={classes.unsure}>Not sure</span>}
        </Group>
        <span className={classes.text}>
          {/* When expanded, it is next to the quote. */}
          {opposed && opened ? <VisuallyHidden>{text}</VisuallyHidden> : text}
        </span>
        <Credit point={point} />
        <IconChevronRight size={16} stroke={1.75} aria-hidden className={classes.chevron} data-opened={opened} />
      </UnstyledButton>
      <div id={id} className={classes.details} hidden={!opened}>
        {opposed ? (
          <dl className={classes.sides}>
            <div>
              <dt>{own ? 'You said' : 'The candidate said'}</dt>
              <dd>
                <PointQuote point={point} playback={playback} />
              </dd>
            </div>
            <div>
              <dt>The expert says</dt>
              <dd>{text}</dd>
            </div>
          </dl>
        ) : (
          <PointQuote point={point} playback={playback} />
        )}
        {point.reason && !overruled && <p className={classes.reason}>{reasonFor(point.reason, own)}</p>}
        {restsOnUncertainWords(point, words) && (
          <p className={classes.reason}>Some of these words may have been misheard.</p>
        )}
        <ClaimNote point={point} own={own} />
        {review && <p className={classes.reason}>Reviewed by a person.{review.reason && ` ${review.reason}`}</p>}
      </div>
      {opened && (mayAppeal || mayClaim) && (
        <Group gap={4} className={classes.actions ?? ''} data-no-print>
          {mayAppeal && <RequestReview {...appeals} compact />}
          {mayClaim && (
            <Button variant="subtle" size="compact-xs" onClick={onClaim}>
              I said this
            </Button>
          )}
        </Group>
      )}
    </li>
  );
}

/** Whether any word of a point's evidence has low confidence. */
function restsOnUncertainWords({ evidence, firstWord, lastWord }: Point, words: readonly Word[]): boolean {
  if (evidence === '' || firstWord === undefined || lastWord === undefined) return false;
  return words.slice(firstWord, lastWord + 1).some(isUncertain);
}

/** 'optional · 12 of 16', 'could be 8–16'; nothing if the engine doesn't score by points. */
function Credit({ point: { weight, credit, optional, creditRange } }: { point: Point }) {
  if (weight === undefined || credit === undefined) return null;
  return (
    <span className={classes.credit}>
      {optional && 'optional · '}
      {credit} of {weight}{' '}
      {creditRange && (
        <span className={classes.range}>
          could be {creditRange.from}–{creditRange.to}
        </span>
      )}
    </span>
  );
}
