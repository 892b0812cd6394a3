import type { PointFigures } from '../thresholds.ts';
import { type ModelInfo, modelInfo } from './model-file.ts';
import type { Window } from './windows.ts';

/** A window with what the model says of it and one statement. */
export type JudgedWindow = Window & PointFigures;

type Feature = keyof ModelInfo['made'];

/** The best of many windows is high by chance: the mean of a few says more, of one for every five windows. */
const supporting = { most: 3, windows: 5 };
const leastFigure = 1e-4;

function logit(probability: number): number {
  const kept = Math.min(1 - leastFigure, Math.max(leastFigure, probability));
  return Math.log(kept / (1 - kept));
}

/** The window that makes a statement best, less what contradicts it there. */
export function bestWindow<One extends PointFigures>(windows: readonly One[]): One | undefined {
  return windows.toSorted((a, b) => b.made * (1 - b.contradicted) - a.made * (1 - a.contradicted))[0];
}

/** The window that contradicts a statement most. */
export function worstWindow<One extends PointFigures>(windows: readonly One[]): One | undefined {
  return windows.toSorted((a, b) => b.contradicted - a.contradicted)[0];
}

/** What is said later counts instead: "no, wait, it's the other way round". */
const retraction =
  /\b(?:no,? wait|wait,? no|sorry|scratch that|strike that|correction|i was wrong|take that back|other way (?:a)?round)\b/i;

/** Whether a window takes back what was said before it. */
export function takesBack({ text, made, contradicted }: JudgedWindow): boolean {
  return contradicted > made && retraction.test(text);
}

/** What the windows of an answer say of one statement together. */
function featuresOf(windows: readonly JudgedWindow[]): Record<Feature, number> {
  const made = windows.map((window) => window.made).sort((a, b) => b - a);
  const top = made.slice(0, Math.min(supporting.most, Math.ceil(made.length / supporting.windows)));
  return {
    support: logit(top.reduce((sum, one) => sum + one, 0) / Math.max(1, top.length)),
    contradicted: logit(Math.max(0, ...windows.map(({ contradicted }) => contradicted))),
    constant: 1,
  };
}

/** How likely an answer makes, and contradicts, a statement: two logistic functions of what the model says of its windows. */
export function figuresOf(windows: readonly JudgedWindow[]): PointFigures {
  if (windows.length === 0) return { made: 0, contradicted: 0 };
  const features = featuresOf(windows);
  const likelihood = (weights: ModelInfo['made']) => {
    const names = Object.keys(weights) as Feature[];
    return 1 / (1 + Math.exp(-names.reduce((sum, name) => sum + weights[name] * features[name], 0)));
  };
  const end = bestWindow(windows)?.lastWord ?? 0;
  const later = windows.filter((window) => window.firstWord > end && takesBack(window));
  const back = Math.max(0, ...later.map(({ contradicted }) => contradicted));
  return {
    made: likelihood(modelInfo.made) * (1 - back),
    contradicted: Math.max(back, likelihood(modelInfo.contradicted)),
  };
}
