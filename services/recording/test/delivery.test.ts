import { join } from 'node:path';
import type { Word } from '@interview-prep/contracts/recording/recordings';
import { describe, expect, it } from 'vitest';
import { judgeSound, poorSoundReason } from '../src/delivery/judge-sound.ts';
import { findFillers, measureDelivery, type SpokenAnswer } from '../src/delivery/measure-delivery.ts';
import { measureClarity } from '../src/media/measure-clarity.ts';
import { ffmpeg, temporaryFolder } from './engines/spoken-answer.ts';

const clear = { speechDb: -24, noiseDb: -55, clippedShare: 0 };

/** Words of 300 ms, starting at these times. */
const wordsAt = (...startsMs: number[]): Word[] =>
  startsMs.map((startMs) => ({ word: 'word', startMs, endMs: startMs + 300, confidence: null }));

const answer = (more: Partial<SpokenAnswer>): SpokenAnswer => ({
  words: [],
  language: 'en',
  engine: 'pocketsphinx en-us',
  speech: [],
  durationMs: 10_000,
  clarity: clear,
  ...more,
});

describe('pace', () => {
  it('counts words from the first to the last', () => {
    const words = wordsAt(1000, 1500, 2000, 2500, 3000, 3700);
    expect(measureDelivery(answer({ words })).wordsPerMinute).toBe(120);
  });

  it('is omitted for a few words', () => {
    expect(measureDelivery(answer({ words: wordsAt(0, 4000) })).wordsPerMinute).toBeNull();
  });

  it('has a curve if the answer is long enough', () => {
    const fast = Array.from({ length: 60 }, (_, index) => index * 250);
    const slow = Array.from({ length: 15 }, (_, index) => 15_000 + index * 1000);
    const { pace } = measureDelivery(answer({ words: wordsAt(...fast, ...slow), durationMs: 30_000 }));
    expect(pace).toHaveLength(2);
    expect(pace[0]).toBeGreaterThan(200);
    expect(pace[1]).toBeLessThan(80);
  });
});

describe('length', () => {
  it("is compared with the set's suggestion", () => {
    const { length } = measureDelivery(answer({ durationMs: 80_000, lengthHintSeconds: 120 }));
    expect(length).toEqual({ ms: 80_000, hintSeconds: 120 });
    expect(measureDelivery(answer({}))).not.toHaveProperty('length');
  });
});

describe('fillers', () => {
  const found = (text: string) =>
    measureDelivery(answer({ words: text.split(' ').map((word) => ({ ...wordsAt(0)[0]!, word })) })).fillers.map(
      ({ kind, firstWord }) => `${firstWord} ${kind}`,
    );

  it('are found with their positions, phrases as a whole', () => {
    expect(found('Um, you know, a closure is, uh, a function')).toEqual(['0 um', '1 you know', '6 uh']);
  });

  it('do not include words used with their meaning', () => {
    expect(found('this kind of index is what you knew, a sort of tree')).toEqual([]);
  });

  it('depend on the language', () => {
    const words = ['Ähm', 'also', 'um'].map((word) => ({ ...wordsAt(0)[0]!, word }));
    expect(measureDelivery(answer({ words, language: 'de' })).fillers.map(({ kind }) => kind)).toEqual(['ähm']);
    expect(measureDelivery(answer({ words, language: 'fi' })).fillers).toEqual([]);
  });

  it('prefer the longer phrase', () => {
    const list = [{ words: 'tipo' }, { words: 'tipo assim' }];
    expect(findFillers([{ word: 'tipo' }, { word: 'assim' }], list)).toEqual([
      { kind: 'tipo assim', firstWord: 0, lastWord: 1 },
    ]);
  });

  it("are mostly missing from Whisper's output", () => {
    expect(measureDelivery(answer({ engine: 'whisper base-q8_0' })).omitsFillers).toBe(true);
    expect(measureDelivery(answer({})).omitsFillers).toBe(false);
  });
});

it('pauses are silences of two seconds between speech, without the margins of its spans', () => {
  const speech = [
    { fromMs: 1000, toMs: 3000 },
    { fromMs: 4400, toMs: 6000 },
    { fromMs: 7600, toMs: 10_000 },
  ];
  const delivery = measureDelivery(answer({ speech }));
  expect(delivery.pauses).toEqual([{ startMs: 5760, endMs: 7840 }]);
  expect(delivery).toMatchObject({ firstWordMs: 1000, silenceShare: 0.4 });
});

describe('sound quality', () => {
  it.each([
    [clear, null, false],
    [{ ...clear, speechDb: -50, noiseDb: -80 }, 'quiet', false],
    [{ ...clear, speechDb: -62, noiseDb: -90 }, 'quiet', true],
    [{ ...clear, noiseDb: -33 }, 'noisy', false],
    [{ ...clear, noiseDb: -28 }, 'noisy', true],
    [{ ...clear, clippedShare: 0.1 }, 'clipped', false],
  ] as const)('with %j has the problem %s; too poor to judge: %s', (clarity, problem, tooPoor) => {
    expect(judgeSound(clarity)).toEqual({ ...clarity, problem, tooPoor });
    expect(poorSoundReason(clarity) !== null).toBe(tooPoor);
  });

  it('is named with its measurement if it is rejected', () => {
    expect(poorSoundReason({ ...clear, speechDb: -62 })).toBe(
      'We could not hear this well enough: the voice is at −62 dB, and at least −60 dB is needed.',
    );
  });

  it('is measured during speech', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'sound.wav');
    // A second of quiet hiss, one of a tone at −20 dB (mean −23), one of hiss.
    const source = 'aevalsrc=if(between(t\\,1\\,2)\\,0.1*sin(440*2*PI*t)\\,0.0005*(random(0)-0.5)):s=16000:d=3';
    await ffmpeg('-f', 'lavfi', '-i', source, path);
    const { signal } = new AbortController();
    const clarity = await measureClarity(path, [{ fromMs: 1000, toMs: 2000 }], signal);
    expect(clarity.speechDb).toBeCloseTo(-23, 0);
    expect(clarity.noiseDb).toBeLessThan(-70);
    expect(clarity.clippedShare).toBe(0);
    await ffmpeg('-y', '-f', 'lavfi', '-i', 'aevalsrc=clip(9*sin(440*2*PI*t)\\,-1\\,1):s=16000:d=1', path);
    expect((await measureClarity(path, [{ fromMs: 0, toMs: 1000 }], signal)).clippedShare).toBeGreaterThan(0.8);
  });
});
