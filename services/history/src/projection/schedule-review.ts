import { correctFromPercentage, partlyFromPercentage } from '@interview-prep/contracts/recording/shown-verdict';
import { type Card, createEmptyCard, fsrs, type Grade, Rating } from 'ts-fsrs';

/** Whole days only: a question does not come back within the hour. No randomness: a rebuild gives the same days. */
const scheduler = fsrs({ enable_short_term: false, enable_fuzz: false, maximum_interval: 180 });

/** From this percentage on an answer was easy. */
const easyFromPercentage = 85;

/** How well an answer was remembered, by its score (0–100): the shown verdicts, and an easy one above. */
export function gradeOf(percentage: number): Grade {
  if (percentage >= easyFromPercentage) return Rating.Easy;
  if (percentage >= correctFromPercentage) return Rating.Good;
  return percentage >= partlyFromPercentage ? Rating.Hard : Rating.Again;
}

/**
 * When a question comes back after these answers, oldest first: the state of FSRS as the library keeps it; null without an
 * answer.
 */
export function scheduleReview(answers: readonly { at: Date; percentage: number }[]): Card | null {
  return answers.reduce<Card | null>(
    (card, { at, percentage }) => scheduler.next(card ?? createEmptyCard(at), at, gradeOf(percentage)).card,
    null,
  );
}
