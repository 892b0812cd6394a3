import { IconCheck } from '@tabler/icons-react';
import type { SavedAnswer } from './answer-events.ts';
import classes from './progress-dots.module.css';

export interface ProgressDotsProps {
  questionCount: number;
  index: number;
  saved: readonly SavedAnswer[];
  /** How many of the questions, the last ones, are follow-up questions. */
  followUpCount?: number;
}

/** A dot per question: saved, current, upcoming. */
export function ProgressDots({ questionCount, index, saved, followUpCount = 0 }: ProgressDotsProps) {
  const ownCount = questionCount - followUpCount;
  const answered = new Set(saved.map(({ askedIndex }) => askedIndex));
  return (
    <ol className={classes.dots} aria-label={`${answered.size} of ${questionCount} answers saved`}>
      {Array.from({ length: questionCount }, (_, question) => {
        const state = answered.has(question) ? 'saved' : question === index ? 'current' : 'upcoming';
        const number = question < ownCount ? `Question ${question + 1}` : `Follow-up ${question - ownCount + 1}`;
        const name = `${number}: ${state}`;
        return (
          <li
            key={name}
            className={classes.dot}
            data-state={state}
            aria-current={question === index ? 'step' : undefined}
            title={name}
          >
            <span className={classes.name}>{name}</span>
            {state === 'saved' && <IconCheck size={10} stroke={3.5} aria-hidden />}
          </li>
        );
      })}
    </ol>
  );
}
