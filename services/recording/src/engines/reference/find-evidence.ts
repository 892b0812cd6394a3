import type { PointState } from '@interview-prep/contracts/recording/recordings';
import type { Place } from '../add-up-points.ts';
import type { JudgeContext } from './judge-model.ts';
import type { PointReading } from './read-points.ts';
import { bestWindow, figuresOf, type JudgedWindow, worstWindow } from './rule.ts';
import { clauseRunsOf, type Window } from './windows.ts';

/** The evidence for a point's state. */
export interface Evidence extends Place {
  /** Whether only the answer as a whole supports it. */
  across: boolean;
}

const lengthOf = ({ firstWord, lastWord }: Window) => lastWord - firstWord;
const shortest = <One extends Window>(windows: readonly One[]): One | undefined =>
  windows.reduce<One | undefined>((best, one) => (best && lengthOf(best) <= lengthOf(one) ? best : one), undefined);

/**
 * Finds for each point the shortest passage that makes or contradicts it on its own: a window, or a run of clauses in one.
 * Null for a point that is missing.
 * @throws what the model throws
 */
export async function findEvidence(
  question: string,
  readings: readonly PointReading[],
  states: readonly PointState[],
  { model, thresholds, signal }: JudgeContext,
): Promise<(Evidence | null)[]> {
  /** Whether a passage on its own gives the point its state. */
  const bears = (stretch: JudgedWindow, state: PointState, reading: PointReading): boolean => {
    const { made, contradicted } = figuresOf([stretch], reading, question);
    if (state === 'contradicted') return contradicted >= thresholds.contradicted;
    return made >= thresholds[state === 'partial' ? 'partial' : 'covered'];
  };
  const pairs: [statement: string, passage: string][] = [];
  const planned = readings.map((reading, index) => {
    const { windows, words, statement } = reading;
    const state = states[index]!;
    if (state === 'missing') return null;
    const sufficient = windows.filter((window) => bears(window, state, reading));
    const fallback = state === 'contradicted' ? worstWindow(windows) : bestWindow(windows);
    const window = shortest(sufficient) ?? fallback;
    if (!window) return null;
    const runs = clauseRunsOf(words, window).map((run) => ({ ...run, at: pairs.push([statement, run.text]) - 1 }));
    return { window, runs, state, reading };
  });
  const figures = await model.judge({ question, pairs }, signal);
  return planned.map((plan) => {
    if (!plan) return null;
    const { window, runs, state, reading } = plan;
    const run = runs.find(({ at, ...one }) => !window.turned && bears({ ...one, ...figures[at]! }, state, reading));
    const { firstWord, lastWord } = run ?? window;
    const isWhole = lengthOf(window) + 1 === reading.words.length;
    const across = !run && (window.sentences > 2 || (window.sentences > 1 && isWhole));
    return { firstWord, lastWord, across };
  });
}
