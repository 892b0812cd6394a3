import type { Point } from '@interview-prep/contracts/recordings';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import { MarkedText } from '../../../components/marked-text.tsx';
import classes from './points.module.css';

const halves = [
  { covered: true, title: 'Points you made', Icon: IconCheck },
  { covered: false, title: 'Points missed', Icon: IconMinus },
] as const;

/** The expert's points: those that the answer made, with what was said for them, and those that it missed. */
export function Points({ points }: { points: readonly Point[] }) {
  return (
    <div className={classes.points}>
      {halves.map(({ covered, title, Icon }) => {
        const ofHalf = points.filter((point) => point.covered === covered);
        if (ofHalf.length === 0) return null;
        return (
          <section key={title} className={classes.half} data-covered={covered}>
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
