import { saidShare } from '../../glossary/said-share.ts';
import type { PointFigures } from '../thresholds.ts';
import { modelInfo } from './model-file.ts';
import type { Window } from './windows.ts';

/** A window with the model's figures for one statement. `turned`: the next sentence reverses its meaning. */
export type JudgedWindow = Window & PointFigures & { turned?: true };

/** From this many windows on, the best one may be high by chance: the mean of the best two is more reliable. */
const manyWindows = 4;

function logit(probability: number): number {
  const kept = Math.min(0.9999, Math.max(0.0001, probability));
  return Math.log(kept / (1 - kept));
}

/** The window with the strongest support for a statement, net of contradiction. */
export function bestWindow<One extends PointFigures>(windows: readonly One[]): One | undefined {
  return windows.toSorted((a, b) => b.made * (1 - b.contradicted) - a.made * (1 - a.contradicted))[0];
}

export function worstWindow<One extends PointFigures>(windows: readonly One[]): One | undefined {
  return windows.toSorted((a, b) => b.contradicted - a.contradicted)[0];
}

const retraction =
  /\b(?:no,? wait|wait,? no|sorry|scratch that|strike that|correction|i was wrong|take that back|other way (?:a)?round)\b/i;

/** Whether a window retracts what was said up to a word, so that later words count instead. */
export function takesBack(window: JudgedWindow, end: number, words: readonly string[]): boolean {
  const since = words.slice(end + 1, window.lastWord + 1).join(' ');
  return window.firstWord > end && window.contradicted > window.made && retraction.test(since);
}

/** Matches sentences that only say that it is the other way round. */
const reversal =
  /^(?:\W*\b(?:no|oh|sorry|wait|actually|well|hold on|hang on|i mean)\b)*\W*(?:(?:it|that)(?:['’]s| is| was)\W+)?(?:exactly |just )?the other way (?:a)?round\W*$/i;

/** Applies "it's the other way round": the sentence before it counts as reversed, and windows that overlap it are dropped. */
export function applyReversals(windows: readonly JudgedWindow[]): JudgedWindow[] {
  let turned = [...windows];
  for (const { firstWord, lastWord, text } of windows.filter((window) => reversal.test(window.text))) {
    const before = turned.find((window) => window.sentences === 1 && window.lastWord === firstWord - 1);
    if (!before) continue;
    turned = turned.filter((window) => window.lastWord < before.firstWord || window.firstWord > lastWord);
    const { made: contradicted, contradicted: made } = before;
    turned.push({ ...before, lastWord, text: `${before.text} ${text}`, made, contradicted, turned: true });
  }
  return turned;
}

/** How likely windows make, and contradict, a statement: logistic functions of the model's figures. */
export function figuresOf(
  windows: readonly JudgedWindow[],
  { statement, words }: { statement: string; words: readonly string[] },
  question: string,
): PointFigures {
  if (windows.length === 0) return { made: 0, contradicted: 0 };
  const made = windows.map((window) => window.made).sort((a, b) => b - a);
  const top = made.slice(0, made.length < manyWindows ? 1 : 2);
  const features = {
    support: logit(top.reduce((sum, one) => sum + one, 0) / top.length),
    contradicted: logit(Math.max(...windows.map(({ contradicted }) => contradicted))),
    said: saidShare(statement, windows.map(({ text }) => text).join(' '), question),
    constant: 1,
  };
  const sumOf = (weights: Partial<typeof features>) =>
    Object.entries(weights).reduce((sum, [name, weight]) => sum + weight * features[name as keyof typeof features], 0);
  const likelihood = (sum: number) => 1 / (1 + Math.exp(-sum));
  const contradicted = likelihood(sumOf(modelInfo.contradicted));
  const { shortUpTo, longFrom, deniedFrom } = modelInfo.answerWords;
  const isDenied = contradicted >= deniedFrom;
  const brevity = isDenied ? 0 : Math.min(1, Math.max(0, (longFrom - words.length) / (longFrom - shortUpTo)));
  const end = bestWindow(windows)?.lastWord ?? 0;
  const back = Math.max(0, ...windows.map((one) => (takesBack(one, end, words) ? one.contradicted : 0)));
  return {
    made: likelihood((1 - brevity) * sumOf(modelInfo.made) + brevity * sumOf(modelInfo.madeInShort)) * (1 - back),
    contradicted: Math.max(back, contradicted),
  };
}
