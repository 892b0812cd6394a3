import type { Word } from '@interview-prep/contracts/recording/recordings';
import { describe, expect, it } from 'vitest';
import { findMisheard, withTerms } from '../src/glossary/find-misheard.ts';

function heard(text: string, confidence = 0.5): [string[], Word[]] {
  const words = text.split(' ');
  return [words, words.map((word, at) => ({ word, startMs: at * 300, endMs: at * 300 + 250, confidence }))];
}

function corrected(point: string, text: string, confidence = 0.5) {
  const [words, times] = heard(text, confidence);
  return withTerms(words, findMisheard(point, words, times))
    .filter(Boolean)
    .join(' ');
}

describe('terms that sound like the transcript', () => {
  it.each([
    ['Kubernetes restarts a failed container.', "cooper nettie's restarts it", 'Kubernetes restarts it'],
    ['MySQL keeps the rows sorted.', 'my sequel keeps the rose sorted', 'MySQL keeps the rows sorted'],
    ['Memoization keeps results.', 'memo is asian, keeps them', 'Memoization, keeps them'],
  ])('%s', (point, text, expected) => {
    expect(corrected(point, text)).toBe(expected);
  });

  it('do not replace words heard clearly, or if the term was said', () => {
    const point = 'Kubernetes restarts a failed container.';
    expect(corrected(point, "cooper nettie's restarts it", 0.95)).toBe("cooper nettie's restarts it");
    expect(corrected(point, "kubernetes and cooper nettie's")).toBe("kubernetes and cooper nettie's");
  });

  it('never replace their opposites', () => {
    expect(corrected('A tuple is immutable.', 'a tuple is mutable')).toBe('a tuple is mutable');
  });

  it.each([
    ['The stack grows with each call.', 'you can draw it as a graph, node by node'],
    ['The client answers with a number.', "and there's an error so far"],
    ['A lock turns others away.', 'those are patterns. following them is easy'],
  ])('are not everyday words: %s', (point, text) => {
    expect(corrected(point, text)).toBe(text);
  });

  it('leave other words unchanged', () => {
    const text = 'the database writes a log before it answers the client';
    expect(corrected('Kubernetes restarts a failed container with Prometheus.', text)).toBe(text);
  });
});
