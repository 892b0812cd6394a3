import { describe, expect, it } from 'vitest';
import { modelInfo } from '../../../src/engines/reference/model-file.ts';
import { bestWindow, figuresOf, type JudgedWindow, worstWindow } from '../../../src/engines/reference/rule.ts';
import { stateByFigures } from '../../../src/engines/thresholds.ts';

const window = (at: number, made: number, contradicted: number): JudgedWindow => ({
  firstWord: at * 10,
  lastWord: at * 10 + 9,
  text: '',
  sentences: 1,
  made,
  contradicted,
});

describe('the figures of a point', () => {
  it('grow with what the windows make of it', () => {
    const weak = figuresOf([window(0, 0.1, 0), window(1, 0.2, 0)]);
    const strong = figuresOf([window(0, 0.1, 0), window(1, 0.95, 0)]);
    expect(strong.made).toBeGreaterThan(weak.made);
  });

  it('say that it is contradicted where a window contradicts it', () => {
    const figures = figuresOf([window(0, 0.02, 0.95), window(1, 0.02, 0.9)]);
    expect(stateByFigures(figures, modelInfo.thresholds)).toBe('contradicted');
  });

  it('are zero without any window', () => {
    expect(figuresOf([])).toEqual({ made: 0, contradicted: 0 });
  });
});

it('finds the windows that make and contradict a point most', () => {
  const windows = [window(0, 0.9, 0.8), window(1, 0.7, 0), window(2, 0.1, 0.85)];
  expect(bestWindow(windows)).toBe(windows[1]);
  expect(worstWindow(windows)).toBe(windows[2]);
  expect(bestWindow([])).toBeUndefined();
});

it.each([
  [{ made: 0.9, contradicted: 0.1 }, 'covered'],
  [{ made: 0.5, contradicted: 0.1 }, 'partial'],
  [{ made: 0.1, contradicted: 0.1 }, 'missing'],
  [{ made: 0.4, contradicted: 0.7 }, 'contradicted'],
  [{ made: 0.9, contradicted: 0.7 }, 'covered'],
])('%j is %s', (figures, state) => {
  expect(stateByFigures(figures, { covered: 0.6, partial: 0.45, contradicted: 0.6 })).toBe(state);
});
