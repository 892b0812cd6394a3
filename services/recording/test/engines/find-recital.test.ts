import { readFileSync } from 'node:fs';
import { derivePoints } from '@interview-prep/contracts/catalog/derive-points';
import { describe, expect, it } from 'vitest';
import { findRecital } from '../../src/engines/find-recital.ts';

describe('a recital', () => {
  const words = 'So: A stack is last in, first out. It is not true that a queue is one.'.split(' ');
  it('is a statement word for word, ignoring punctuation', () => {
    expect(findRecital(words, 'a stack is last in first out')).toMatchObject({ firstWord: 1, lastWord: 7 });
  });
  it.each([
    'It removes the element that was added last.',
    'A stack is a list, and it removes the element that was added last.',
  ])('can have a pronoun in place of the subject: %s', (answer) => {
    const said = answer.split(' ');
    const lastWord = said.length - 1;
    expect(findRecital(said, 'A stack removes the element that was added last.')).toEqual({
      firstWord: said.findIndex((word) => /^it$/i.test(word)),
      lastWord,
    });
  });
  it('is not recognized after a pronoun if hardly anything follows it', () => {
    expect(findRecital(['It', 'is', 'fast.'], 'A stack is fast.')).toBeUndefined();
  });
  it('never drops a negation with the subject', () => {
    const answer = 'They block the writers.'.split(' ');
    expect(findRecital(answer, 'Readers block the writers.')).toBeDefined();
    expect(findRecital(answer, 'Readers never block the writers.')).toBeUndefined();
  });
  it('is found for every derived point in its own expert answer', () => {
    const answers = ['misheard', 'orders', 'paraphrases', 'twins'].flatMap((name) =>
      JSON.parse(readFileSync(new URL(`./reference-cases/${name}.json`, import.meta.url), 'utf8')).map(
        (one: { expertAnswer: string }) => one.expertAnswer,
      ),
    );
    const missed = [...new Set<string>(answers)].flatMap((answer) =>
      derivePoints(answer).filter(({ text }) => !findRecital(answer.split(/\s+/), text)),
    );
    expect(missed).toEqual([]);
  });
  it('starts at a sentence or a clause, and has every word', () => {
    expect(findRecital(words, 'A queue is one.')).toBeUndefined();
    expect(findRecital(words, 'A stack is last in, last out.')).toBeUndefined();
  });
});
