import { expect, it } from 'vitest';
import { saidShare } from '../../src/glossary/said-share.ts';

const statement = 'A queue removes the element that was added first.';

it('is the share of the words that occur in some form, weighted by rarity', () => {
  expect(saidShare(statement, statement.toUpperCase())).toBe(1);
  expect(saidShare(statement, 'queues, removing: elements; added — first')).toBeGreaterThan(0.9);
  const [rare, common] = [saidShare(statement, 'queue'), saidShare(statement, 'that was the')];
  expect(rare).toBeGreaterThan(common);
  expect(common).toBeGreaterThan(0);
});

it('is zero without words', () => {
  expect(saidShare(statement, '')).toBe(0);
  expect(saidShare('… !', statement)).toBe(0);
});

it('is zero if only words from the question occur', () => {
  const question = 'Which element does a queue remove?';
  expect(saidShare(statement, question, question)).toBe(0);
  expect(saidShare(statement, 'the first', question)).toBe(saidShare(statement, 'the first'));
});
