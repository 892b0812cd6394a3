import { pointStateNames, stateOf } from '@interview-prep/contracts/point-states';
import type { Point, PointState, Word } from '@interview-prep/contracts/recordings';
import { Button, VisuallyHidden } from '@mantine/core';
import { IconArrowsDiff, IconCheck, IconCircleHalf2, IconMinus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Playback } from '../../../components/player/use-playback.ts';
import { minutesSeconds } from '../../../lib/formats.ts';
import { ClaimDialog } from '../correction/claim-dialog.tsx';
import { ClaimNote } from '../correction/claim-note.tsx';
import { creditSum, groupPoints } from './point-groups.ts';
import { PointText } from './point-text.tsx';
import classes from './points.module.css';
import { isUncertain } from './spoken-words.ts';

const groups = {
  covered: { Icon: IconCheck },
  partial: { Icon: IconCircleHalf2 },
  missing: { Icon: IconMinus },
  contradicted: { Icon: IconArrowsDiff },
} as const satisfies Record<PointState, unknown>;

interface PointsProps {
  points: readonly Point[];
  /** The percentage that the points' credits add up to. */
  percentage: number | null | undefined;
  expertAnswer: string | undefined;
  /** The words that were heard, for how surely. */
  words: readonly Word[];
  playback: Playback;
  /** Whether the reader is the one who answered. */
  own: boolean;
  /** The answer, where the reader may say that a point was made. */
  claims?: { recordingId: string; detailId: string } | undefined;
}

/** The expert's points by how far they were made, each with what it earned and the words that made it. */
export function Points({ points, percentage, expertAnswer, words, playback, own, claims }: PointsProps) {
  const [claimed, setClaimed] = useState<Point | null>(null);
  const sum = creditSum(points, percentage);
  return (
    <div>
      <div className={classes.points}>
        {groupPoints(points).map((group) => {
          const { Icon } = groups[group.state];
          return (
            <section key={group.state} className={classes.group} data-state={group.state}>
              <h4 className={classes.title}>
                {pointStateNames[group.state]} <span className={classes.count}>{group.points.length}</span>
              </h4>
              <ul className={classes.list}>
                {group.points.map((point, index) => (
                  // An expert answer may make the same point twice.
                  // biome-ignore lint/suspicious/noArrayIndexKey: the points of a verdict never change places.
                  <li key={index} className={classes.point}>
                    <Icon size={16} stroke={2.25} aria-hidden className={classes.icon} />
                    <div>
                      <PointText text={point.text} expertAnswer={expertAnswer} />
                      <Evidence point={point} playback={playback} />
                      <Credit point={point} />
                      {point.reason && <p className={classes.reason}>{point.reason}</p>}
                      <ClaimNote point={point} own={own} />
                      {point.review && (
                        <p className={classes.reason}>
                          A person judged this point.{point.review.reason && ` ${point.review.reason}`}
                        </p>
                      )}
                      {restsOnUncertainWords(point, words) && (
                        <p className={classes.reason}>This rests on words that were heard with little confidence.</p>
                      )}
                      {claims && words.length > 0 && stateOf(point) !== 'covered' && (
                        <Button variant="subtle" size="compact-xs" ml={-8} onClick={() => setClaimed(point)}>
                          I did say this
                        </Button>
                      )}
                    </div>
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
      {claims && claimed && (
        <ClaimDialog
          {...claims}
          index={points.indexOf(claimed)}
          text={claimed.text}
          words={words}
          onClose={() => setClaimed(null)}
        />
      )}
      {sum && (
        <p className={classes.sum}>
          The score is the sum of the points: <span className="tabular">{sum}</span>
        </p>
      )}
    </div>
  );
}

/** Whether a word of a point's evidence was heard with little confidence. */
function restsOnUncertainWords({ evidence, firstWord, lastWord }: Point, words: readonly Word[]): boolean {
  if (evidence === '' || firstWord === undefined || lastWord === undefined) return false;
  return words.slice(firstWord, lastWord + 1).some(isUncertain);
}

/** What the candidate said for a point; a click plays it where its time is known. */
function Evidence({ point, playback }: { point: Point; playback: Playback }) {
  const { evidence, startMs, endMs } = point;
  if (evidence === '' || stateOf(point) === 'missing') return null;
  if (startMs === undefined || endMs === undefined || playback.state.phase === 'failed')
    return <q className={classes.evidence}>{evidence}</q>;
  return (
    <button type="button" className={classes.play} onClick={() => playback.playMoment(startMs, endMs)}>
      <q className={classes.evidence}>{evidence}</q>
      <VisuallyHidden>, play from {minutesSeconds(startMs / 1000)}</VisuallyHidden>
    </button>
  );
}

/** 'Covered · 12 of 16 · optional · misheard'; nothing where the engine does not work by points. */
function Credit({ point }: { point: Point }) {
  const { weight, credit, optional, how } = point;
  if (weight === undefined || credit === undefined) return null;
  const parts = [
    pointStateNames[stateOf(point)],
    `${credit} of ${weight}`,
    optional && 'optional',
    how === 'sound' && 'misheard',
  ];
  return <p className={classes.credit}>{parts.filter(Boolean).join(' · ')}</p>;
}
