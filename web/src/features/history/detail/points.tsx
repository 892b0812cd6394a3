import type { Point } from '@interview-prep/contracts/recordings';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import { MarkedText } from '../../../components/marked-text.tsx';
import classes from './points.module.css';

const halves = [
  { covered: true, ownTitle: 'Points you made', otherTitle: 'Points made', Icon: IconCheck },
  { covered: false, ownTitle: 'Not heard in your answer', otherTitle: 'Not heard in the answer', Icon: IconMinus },
] as const;

interface PointsProps {
  points: readonly Point[];
  /** Whether the reader is the one who answered. */
  own: boolean;
}

/** The expert's points: those that were made, each with the words that made it, and those that were not heard. */
export function Points({ points, own }: PointsProps) {
  return (
    <div className={classes.points}>
      {halves.map(({ covered, ownTitle, otherTitle, Icon }) => {
        const title = own ? ownTitle : otherTitle;
        const ofHalf = points.filter((point) => point.covered === covered);
        if (ofHalf.length === 0) return null;
        return (
          <section key={ownTitle} className={classes.half} data-covered={covered}>
            <h4 className={classes.title}>
              {title} <span className={classes.count}>{ofHalf.length}</span>
            </h4>
            <ul className={classes.list}>
              {ofHalf.map(({ text, evidence }) => (
                <li key={text} className={classes.point}>
                  <Icon size={16} stroke={2.25} aria-hidden className={classes.icon} />
                  <div>
                    <MarkedText>{text}</MarkedText>
                    {covered && evidence !== '' && <q className={classes.evidence}>{evidence}</q>}
                  </div>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
