import { findPointWarning, type PointWarning } from '@interview-prep/contracts/point-warnings';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './expert-points.module.css';

const texts: Record<PointWarning | 'in-question', string> = {
  leans: 'This can’t be understood by itself. Name what it is about.',
  fragment: 'This isn’t a full statement. Say what is true of it.',
  'two-things': 'This says more than one thing. Consider splitting it into separate points.',
  'in-question': 'The question already says this, so repeating the question would earn it.',
};

/**
 * What makes a point hard to judge; undefined if nothing does. Such a point can be saved all the same.
 * @param inQuestion whether the judge found the point in the question
 */
export function pointWarnings(text: string, question: string, inQuestion: boolean): ReactNode {
  const warning = findPointWarning(text, question);
  const found = [...(warning ? [warning] : []), ...(inQuestion ? (['in-question'] as const) : [])];
  if (found.length === 0) return undefined;
  return found.map((each) => (
    <span key={each} className={classes.warning}>
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
      {texts[each]}
    </span>
  ));
}
