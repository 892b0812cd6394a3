import { expect, test } from 'vitest';
import { findPointWarning } from '../src/catalog/point-warnings.ts';

const one = 'What is a closure, and where have you used one?';
const several = 'How do var and let differ?';

test.each([
  [several, 'It is hoisted and starts out as undefined.'],
  [several, 'Its scope is the block.'],
  [several, 'You declare most of them at the top.'],
  [several, 'If it is read too early, an error is thrown.'],
  [one, 'This makes private state possible.'],
  [one, 'Then the outer function returns.'],
  [one, 'and the variables stay alive as long as it does.'],
  [one, 'which enables caching'],
  [one, 'For example, a counter can be kept private.'],
  [one, 'Because of that the variables stay alive.'],
])('a point that depends on context: %s %s', (question, point) => {
  expect(findPointWarning(point, question)).toBe('leans');
});

test.each(['Private state', 'Closures', 'A type assertion with the comma ok form', 'for a small number of people'])(
  'a point that makes no statement: %s',
  (point) => {
    expect(findPointWarning(point, one)).toBe('fragment');
  },
);

test.each([
  'Optimistic locking compares versions when it saves; pessimistic locking keeps writers out until the very end.',
  'A stack returns the newest element first, whereas a queue returns the oldest element first.',
  `A cache keeps results in memory ${'and answers the next request without the database '.repeat(5)}.`,
])('a point that makes two statements: %s', (point) => {
  expect(findPointWarning(point, one)).toBe('two-things');
});

test.each([
  ['', one],
  ['A closure keeps the variables of its outer scope alive.', one],
  // The subject of the question is clear.
  ['It keeps the variables of its outer scope alive.', one],
  ['Its variables stay alive after the outer function has returned.', one],
  ['Both are block scoped or function scoped.', several],
  ['It is better to declare a variable where it is used.', several],
  ['Use `const` by default.', several],
  ['Prefer composition over inheritance', one],
  ['Threads share memory.', one],
  ['The candidate sought a direct talk.', one],
  ['The compiler reports a type error, so that callers handle null and undefined.', one],
  ['The compiler, but not the browser, checks types.', one],
])('no warning: %s', (point, question) => {
  expect(findPointWarning(point, question)).toBeUndefined();
});
