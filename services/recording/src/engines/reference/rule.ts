import type { PointFigures } from '../thresholds.ts';
import { type ModelInfo, modelInfo } from './model-file.ts';
import type { Window } from './windows.ts';

/** A window with what the model says of it and one statement. */
export type JudgedWindow = Window & PointFigures;

type Feature = keyof ModelInfo['made'];

/** The best of several windows is high by chance: the mean of this many says more. */
const supporting = 3;
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

/** What the windows of an answer say of one statement together. */
function featuresOf(windows: readonly JudgedWindow[], windowCount: number): Record<Feature, number> {
  const made = windows.map((window) => window.made).sort((a, b) => b - a);
  const top = made.slice(0, supporting);
  const end = bestWindow(windows)?.lastWord ?? 0;
  const highest = (chosen: readonly JudgedWindow[]) => Math.max(0, ...chosen.map(({ contradicted }) => contradicted));
  return {
    support: logit(top.reduce((sum, one) => sum + one, 0) / Math.max(1, top.length)),
    contradicted: logit(highest(windows)),
    // What is said later counts instead: "no, wait, it's the other way round".
    takenBack: logit(highest(windows.filter(({ firstWord }) => firstWord > end))),
    windows: Math.log(Math.max(1, windowCount)),
    constant: 1,
  };
}

/**
 * How likely an answer makes, and contradicts, a statement: two logistic functions of what the model says of its windows.
 * @param windowCount of the whole answer, where `windows` are a part of it
 */
export function figuresOf(windows: readonly JudgedWindow[], windowCount = windows.length): PointFigures {
  if (windows.length === 0) return { made: 0, contradicted: 0 };
  const features = featuresOf(windows, windowCount);
  const likelihood = (weights: ModelInfo['made']) => {
    const names = Object.keys(weights) as Feature[];
    return 1 / (1 + Math.exp(-names.reduce((sum, name) => sum + weights[name] * features[name], 0)));
  };
  return { made: likelihood(modelInfo.made), contradicted: likelihood(modelInfo.contradicted) };
}
