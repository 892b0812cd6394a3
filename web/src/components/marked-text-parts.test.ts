import { expect, test } from 'vitest';
import { textParts } from './marked-text.tsx';

test('plain text is one part', () => {
  expect(textParts('What is a closure?')).toEqual([{ kind: 'text', text: 'What is a closure?' }]);
});

test('inline code is separated from the text around it', () => {
  expect(textParts('Compare `==` and `===`.')).toEqual([
    { kind: 'text', text: 'Compare ' },
    { kind: 'code', text: '==' },
    { kind: 'text', text: ' and ' },
    { kind: 'code', text: '===' },
    { kind: 'text', text: '.' },
  ]);
});

test('a fenced block keeps its lines and drops its language', () => {
  expect(textParts('Look:\n```ts\nconst a = `x`;\n\nb();\n```\nWhy?')).toEqual([
    { kind: 'text', text: 'Look:\n' },
    { kind: 'block', text: 'const a = `x`;\n\nb();' },
    { kind: 'text', text: '\nWhy?' },
  ]);
});

test.each(['a ` alone', 'open ```js\nfence', '<b>no</b> HTML'])(
  'unclosed marks and other text stay unchanged: %s',
  (text) => {
    expect(
      textParts(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
    expect(textParts(text).every(({ kind }) => kind === 'text')).toBe(true);
  },
);

test('an empty text has no parts', () => {
  expect(textParts('')).toEqual([]);
});
