import type { PointState } from '@interview-prep/contracts/recording/recordings';
import { describe, expect, it } from 'vitest';
import { addUpJudgments } from '../../src/engines/openai/openai-assessor.ts';

const said = 'it is a function that remembers the variables around it'.split(' ');
const points = [
  { text: 'It is a function.', weight: 3, acceptedWordings: [], optional: false },
  { text: 'It keeps the variables of its scope.', weight: 1, acceptedWordings: [], optional: false },
];
const judgment = (number: number, state: PointState, evidence: string) => ({
  number,
  state,
  evidence,
  reason: 'Why.',
});

describe("a model's judgment of points", () => {
  it('earns half for a partly covered point, and nothing for a contradiction, which it quotes', () => {
    const judgments = [judgment(1, 'partial', 'a function'), judgment(2, 'contradicted', 'that remembers')];
    const { percentage, points: judged } = addUpJudgments(points, judgments, said, []);
    expect(percentage).toBe(38);
    expect(judged).toMatchObject([
      { covered: false, state: 'partial', weight: 75, credit: 38, how: 'meaning' },
      { covered: false, state: 'contradicted', weight: 25, credit: 0, evidence: 'that remembers', reason: 'Why.' },
    ]);
    expect(judged[1]).not.toHaveProperty('how');
  });

  it.each(['covered', 'partial', 'contradicted'] as const)('is missing if it is %s without a quote', (state) => {
    for (const evidence of ['', 'a closure is a class']) {
      const { percentage, points: judged } = addUpJudgments(points, [judgment(1, state, evidence)], said, []);
      expect(percentage).toBe(0);
      expect(judged[0]).toMatchObject({
        state: 'missing',
        credit: 0,
        evidence: '',
        reason: 'No words of the answer were quoted for this.',
      });
    }
  });
});
