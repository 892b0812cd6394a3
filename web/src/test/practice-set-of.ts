import type { PracticeSet } from '@interview-prep/contracts/sets';
import { setOf } from './fake-api.ts';

/** A practice set as the API shows one, for tests. */
export function practiceSetOf(number: number, overrides: Partial<PracticeSet> = {}): PracticeSet {
  return {
    ...setOf(number),
    title: `Practice set ${number}`,
    answers: ['A hook is a function.', 'Keys tell `items` apart.'],
    ...overrides,
  };
}
