import { describe, expect, it } from 'vitest';
import { modelInfo } from '../../../src/engines/reference/model-file.ts';
import {
  applyReversals,
  bestWindow,
  figuresOf,
  type JudgedWindow,
  worstWindow,
} from '../../../src/engines/reference/rule.ts';
import { stateByFigures } from '../../../src/engines/thresholds.ts';

const statement = 'A stack removes the element that was added last.';
const wordsOf = (count: number) => Array.from({ length: count }, () => 'so');
const long = { statement, words: wordsOf(80) };
const window = (at: number, made: number, contradicted: number, text = ''): JudgedWindow => ({
  firstWord: at * 10,
  lastWord: at * 10 + 9,
  text,
  sentences: 1,
  made,
  contradicted,
});

describe('the figures of a point', () => {
  it('grow with what the windows say about it', () => {
    const weak = figuresOf([window(0, 0.1, 0), window(1, 0.2, 0)], long, '');
    const strong = figuresOf([window(0, 0.1, 0), window(1, 0.95, 0)], long, '');
    expect(strong.made).toBeGreaterThan(weak.made);
  });

  it('report a contradiction if a window contradicts it', () => {
    const figures = figuresOf([window(0, 0.02, 0.95), window(1, 0.02, 0.9)], long, '');
    expect(stateByFigures(figures, modelInfo.thresholds)).toBe('contradicted');
  });

  it('weigh the spoken words, rare words and their forms most, more the shorter the answer is', () => {
    const madeBy = (text: string, words: number) =>
      figuresOf([window(0, 0.4, 0, text)], { statement, words: wordsOf(words) }, '').made;
    const [nothing, common, rare] = ['we know it well', 'that was the last', 'stacks removed added elements'];
    expect(madeBy(common, 10)).toBeGreaterThan(madeBy(nothing, 10));
    expect(madeBy(rare, 10)).toBeGreaterThan(madeBy(common, 10));
    const gained = [10, 25, 30, 45, 50, 300].map((words) => madeBy(rare, words) - madeBy(nothing, words));
    expect(gained).toEqual(gained.toSorted((a, b) => b - a));
    expect(gained.slice(-2)).toEqual([0, 0]);
  });

  it('do not let words alone make a statement that the model denies', () => {
    const { made } = figuresOf([window(0, 0.02, 0.9, statement)], { statement, words: wordsOf(9) }, '');
    expect(made).toBeLessThan(modelInfo.thresholds.partial);
  });

  it('ignore the words of a short answer that says the opposite', () => {
    const said = 'A stack removes the element that was added first, not the last one.';
    const judged = { statement, words: said.split(' ') };
    const [denied, open] = [0.9, 0.3].map((contradicted) =>
      figuresOf([window(0, 0.3, contradicted, said)], judged, ''),
    );
    expect(stateByFigures(denied!, modelInfo.thresholds)).toBe('contradicted');
    expect(stateByFigures(open!, modelInfo.thresholds)).toBe('covered');
  });

  it('are zero without a window', () => {
    expect(figuresOf([], long, '')).toEqual({ made: 0, contradicted: 0 });
  });
});

describe('a reversal', () => {
  const sentence = (
    firstWord: number,
    lastWord: number,
    text: string,
    made = 0.1,
    contradicted = 0.1,
    sentences = 1,
  ) => ({
    firstWord,
    lastWord,
    text,
    made,
    contradicted,
    sentences,
  });
  const right = sentence(0, 5, 'A stack returns the last one.', 0.9, 0.05);
  const rest = sentence(13, 17, 'We used one last year.');
  it.each([
    "No, wait, it's the other way round.",
    'Oh, sorry, that is exactly the other way around!',
    'Wait. It’s just the other way round.',
  ])('counts the sentence before it as its opposite: %s', (text) => {
    const both = sentence(0, 12, `${right.text} ${text}`, 0.8, 0.7, 2);
    const turned = applyReversals([right, both, sentence(6, 12, text), rest]);
    expect(turned).toEqual([
      rest,
      { ...right, lastWord: 12, text: both.text, made: 0.05, contradicted: 0.9, turned: true },
    ]);
  });
  it.each(['In Python it is the other way round.', 'Some people think it is the other way round, but no.'])(
    'is not assumed in a sentence that says more: %s',
    (text) => {
      const windows = [right, sentence(6, 12, text), rest];
      expect(applyReversals(windows)).toEqual(windows);
    },
  );
});

it('finds the windows that most support and most contradict a point', () => {
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
