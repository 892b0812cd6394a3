import { describe, expect, it } from 'vitest';
import { type JudgedAnswer, pointFigures, pointsReport } from '../src/grading/points-report.ts';

const answers: JudgedAnswer[] = [
  {
    style: 'own',
    points: [
      { label: 1, credit: 1, made: 0.95 },
      { label: 0.5, credit: 0.5, made: 0.55 },
      { label: 0, credit: 0, made: 0.05 },
    ],
  },
  {
    style: 'wrong',
    points: [
      { label: -1, credit: 1, made: 0.65 },
      { label: -1, credit: 0, made: 0.05 },
      { label: 0, credit: 0, made: 0.05 },
    ],
  },
];

describe('the figures of a judge', () => {
  it("compare credits with reviewers' decisions", () => {
    const figures = pointFigures(answers);
    // 2 correctly credited, of 3 credited and 2 made.
    expect(figures.f1).toBeCloseTo(4 / 5);
    expect(figures).toMatchObject({ unsaidCredited: 0, contraryCredited: 0.5 });
    // Scores of 50 and 33 from the judge, 50 and 0 from a person.
    expect(figures.pearson).toBeCloseTo(1);
    expect(figures.rmse).toBeCloseTo(Math.hypot(0, 100 / 3) / Math.SQRT2);
    // Three points have 0.05 and none is made; those with 0.95 and 0.55 are made, the one with 0.65 is not.
    expect(figures.calibrationError).toBeCloseTo((3 * 0.05 + 0.05 + 0.45 + 0.65) / 6);
  });

  it('are printed with the mean scores by style', () => {
    const lines = pointsReport(answers).split('\n');
    expect(lines).toContain('credited of the contrary: 50.0%');
    expect(lines).toContain('own              1     50     50');
    expect(lines).toContain('wrong            1     33      0');
  });

  it('are left out if there is nothing to count', () => {
    expect(pointFigures([{ style: '', points: [{ label: 1, credit: 1, made: null }] }])).toMatchObject({
      unsaidCredited: null,
      contraryCredited: null,
      calibrationError: null,
    });
    expect(pointsReport([])).toBe('There are no answers.\n');
  });
});
