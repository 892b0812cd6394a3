import { expect, test } from 'vitest';
import { usageLine } from './recording-content.tsx';

test.each([
  [null, '1,834 tokens'],
  [0.00421, '1,834 tokens, $0.0042'],
  [1.5, '1,834 tokens, $1.50'],
  [0, '1,834 tokens, $0.00'],
  [0.000_001, '1,834 tokens, less than $0.0001'],
])('a cost of %s US dollars reads %j', (costUsd, line) => {
  expect(usageLine({ promptTokens: 1700, completionTokens: 134, costUsd })).toBe(line);
});
