import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { limits } from '../src/api/limits.ts';
import { derivePoints } from '../src/catalog/derive-points.ts';
import { expertSentence } from '../src/catalog/expert-sentence.ts';
import { parseQuestions, questionKey } from '../src/text/question-text.ts';
import { splitParagraphs } from '../src/text/split-paragraphs.ts';
import { sentenceMaxLength, splitSentences } from '../src/text/split-sentences.ts';
import { countSteps } from './count-steps.ts';

const root = join(import.meta.dirname, '../../..');

/** Code that processes input of admins and candidates. */
const folders = [
  'services/contracts/src',
  'services/catalog/src',
  'services/recording/src/corrections',
  'services/recording/src/engines/follow-ups',
  'services/recording/src/glossary',
  'web/src/features/admin',
];
const files = ['services/recording/src/engines/judge-address.ts', 'web/src/components/marked-text.tsx'];

/** Expressions that may take quadratic time because their input is short. Each row is a decision: name the bound. */
const bounded: Readonly<Record<string, string>> = {
  '/[\\p{L}\\p{N}.]+$/u': 'the 60 characters before a full stop',
  '/\\p{Lu}\\p{L}+\\s+\\p{Lu}$/u': 'the 60 characters before a full stop',
  '/\\b(?:e\\. g|i\\. e)\\.(?: \\S?\\S?)?$/i': 'the 60 characters before a full stop',
  '/[\\s,;]+$/': 'one sentence',
  '/,\\s+(?=(?:and|but|whereas|while|so that|which|because|so|or)\\s)|;\\s+|:\\s+(?=\\S+\\s\\S+\\s\\S+)|\\s+(?=whereas\\s)/gi':
    'one sentence',
  '/\\p{L}.*\\p{Lu}|\\p{L}\\d|[+#]/u': 'one term of 60 characters',
  '/^-+|-+$/g': 'a name of 100 characters',
  '/-+$/': 'a slug',
};

function expressionsOf(path: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest));
  return found;
}

const sources = folders
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`))
  .concat(files)
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'));
const expressions = [...new Set(sources.flatMap(expressionsOf))];

/** One character of each kind: blank, letters, digit, period, symbol, line break. Characters not named in an expression behave like one of these. */
const kinds = [...' aA1.+\n'];
const named = [...',;:#-=_(){}[]`"\'/@\0'];
/** Inputs that cause backtracking: each character, each pair, and each word of the expression, repeated many times. */
function attacks(source: string, length: number): string[] {
  const signs = [...kinds, ...named.filter((sign) => source.includes(sign))];
  const words = [...new Set(source.match(/[a-z]{2,}/gi) ?? [])].map((word) => `${word} `);
  const units = [...signs, ...signs.flatMap((one) => signs.map((other) => one + other)), ...words];
  const starts = ['', 'a', '# ', '```', 'x: ', '('];
  return units.flatMap((unit) => {
    const many = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    return unit.length === 1 ? starts.map((start) => `${start}${many}\0`) : [`${many}\0`];
  });
}

/** The largest growth of the step count when an attack doubles; small counts are noise. */
function worstGrowth(expression: string, size: number): number {
  const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(expression) ?? [];
  const pattern = new RegExp(source, flags);
  const longer = attacks(source, 2 * size);
  const growths = attacks(source, size).map(
    (attack, at) => countSteps(pattern, longer[at]!) / Math.max(size, countSteps(pattern, attack)),
  );
  return Math.max(...growths);
}

/** The growth for short attacks; if that is high, for longer ones, because a gap such as .{0,50} is bounded. */
function growthOf(expression: string): number {
  const short = worstGrowth(expression, 60);
  return short > 2.5 ? worstGrowth(expression, 400) : short;
}

test.each(expressions.filter((expression) => !(expression in bounded)))(
  'twice the input takes at most 2.5 times as many steps: %s',
  (expression) => {
    expect(growthOf(expression)).toBeLessThanOrEqual(2.5);
  },
);

test('the step count distinguishes linear from quadratic expressions', () => {
  expect(growthOf('/[.!?]+\\s+(?=\\S)/g')).toBeGreaterThan(2.5);
  expect(growthOf('/\\s+$/')).toBeGreaterThan(2.5);
  expect(growthOf('/\\s+(?=whereas)/')).toBeGreaterThan(2.5);
  expect(growthOf('/a+b?/')).toBeLessThanOrEqual(2.5);
});

/** The characters that expressions read while a function runs: each expression is linear in its input, or the input is short. */
function charactersRead(run: () => unknown): number {
  const { exec } = RegExp.prototype;
  let read = 0;
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = exec.call(this, text);
    read += 1 + (this.sticky ? 0 : (found ? found.index + found[0].length : String(text).length) - from);
    return found;
  };
  try {
    run();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return read;
}

const units = [
  '.',
  ' ',
  ',',
  '(',
  '()',
  ')',
  '. ',
  'a. ',
  'e.g. ',
  'A ',
  'Aa B. c ',
  ', and a ',
  '; a ',
  ': a b c ',
  '# ',
  '1. a ',
  '`',
  '{',
  'a\n',
  '-',
  '!?) ',
];
const functions: Readonly<Record<string, (text: string) => unknown>> = {
  splitSentences,
  splitParagraphs,
  derivePoints,
  expertSentence: (text) => expertSentence('point', text),
  parseQuestions,
  questionKey,
};

test.each(Object.keys(functions))('%s reads at most 2.5 times as much for twice the text', (name) => {
  for (const unit of units) {
    const read = (length: number) => charactersRead(() => functions[name]!(unit.repeat(length / unit.length)));
    const [one, two] = [read(limits.answerMaxLength), read(2 * limits.answerMaxLength)];
    expect(two / Math.max(limits.answerMaxLength, one), JSON.stringify(unit)).toBeLessThanOrEqual(2.5);
  }
});

test('no sentence is longer than the functions on sentences can handle', () => {
  const text = 'word '.repeat(2 * limits.answerMaxLength);
  const sentences = splitSentences(text);
  expect(Math.max(...sentences.map(({ length }) => length))).toBeLessThanOrEqual(sentenceMaxLength);
  expect(sentences.join(' ')).toBe(text.trim());
});
