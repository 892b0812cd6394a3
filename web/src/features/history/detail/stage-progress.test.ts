import { describe, expect, it } from 'vitest';
import { estimateText, isPending, stageSteps } from './stage-progress.ts';

const pending = { durationMs: null, transcription: { status: 'pending' }, assessment: { status: 'pending' } } as const;
const states = (...args: Parameters<typeof stageSteps>) => stageSteps(...args).map(({ state }) => state);

describe('isPending', () => {
  it('is true until transcription and assessment have ended', () => {
    expect(isPending(pending)).toBe(true);
    expect(isPending({ ...pending, transcription: { status: 'completed' } })).toBe(true);
    expect(isPending({ ...pending, transcription: { status: 'completed' }, assessment: { status: 'unscored' } })).toBe(
      false,
    );
    expect(isPending({ durationMs: 1, transcription: { status: 'completed' } })).toBe(false);
  });

  it('expects no assessment after a failed transcription', () => {
    expect(isPending({ ...pending, transcription: { status: 'failed' } })).toBe(false);
  });
});

describe('stageSteps', () => {
  it('takes the stage from the details', () => {
    expect(states('interview', pending, undefined)).toEqual(['active', 'waiting', 'waiting']);
    expect(states('interview', { ...pending, durationMs: 900 }, undefined)).toEqual(['done', 'active', 'waiting']);
    expect(states('interview', { ...pending, transcription: { status: 'completed' } }, undefined)).toEqual([
      'done',
      'done',
      'active',
    ]);
  });

  it('moves ahead with live updates', () => {
    expect(states('interview', pending, { stage: 'transcription', status: 'started' })).toEqual([
      'done',
      'active',
      'waiting',
    ]);
    expect(states('interview', pending, { stage: 'media', status: 'completed' })).toEqual([
      'done',
      'active',
      'waiting',
    ]);
  });

  it('shows the progress of the step', () => {
    const live = { stage: 'transcription', status: 'started', progress: { percent: 40, text: 'A closure' } } as const;
    expect(stageSteps('practice', pending, live).map(({ percent }) => percent)).toEqual([undefined, 40]);
  });

  it('never falls behind the details', () => {
    expect(
      states(
        'interview',
        { ...pending, transcription: { status: 'completed' } },
        { stage: 'media', status: 'started' },
      ),
    ).toEqual(['done', 'done', 'active']);
  });

  it('has no judging step in practice', () => {
    expect(states('practice', { ...pending, durationMs: 900 }, undefined)).toEqual(['done', 'active']);
  });
});

describe('the estimate', () => {
  it.each([
    [{ ahead: 0, readyInMs: 1200 }, 'Ready in about 5 s'],
    [{ ahead: 1, readyInMs: 38_000 }, 'Ready in about 40 s · 1 answer ahead'],
    [{ ahead: 3, readyInMs: 130_000 }, 'Ready in about 2 min · 3 answers ahead'],
  ])('%j reads %j', (estimate, text) => {
    expect(estimateText(estimate)).toBe(text);
  });
});
