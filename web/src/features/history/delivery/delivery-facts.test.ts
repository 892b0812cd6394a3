import type { Delivery } from '@interview-prep/contracts/recording/delivery';
import { describe, expect, it } from 'vitest';
import { interviewRecording, usualDelivery } from '../../../test/history/history-fixtures.ts';
import { deliveryFacts } from './delivery-facts.ts';
import { deliverySummary } from './delivery-summary.ts';

const spoken = (more: Partial<Delivery> = {}, questionId = 0) =>
  interviewRecording({
    questionId,
    durationMs: 60_000,
    transcription: { ...interviewRecording().transcription, language: 'en' },
    delivery: { ...usualDelivery, ...more },
  });
const lines = (more: Partial<Delivery>) =>
  deliveryFacts(spoken(more)).map(({ label, value, advice }) => [label, value, advice].filter(Boolean).join(' · '));
const filler = (kind: string, firstWord: number) => ({ kind, firstWord, lastWord: firstWord });

describe('delivery', () => {
  it('is given with its numbers', () => {
    expect(lines({})).toEqual([
      'Pace · 132 words per minute',
      'Fillers · None',
      'Pauses over 2 s · None',
      'First word · after 1.2 s',
      'Silence · 20%',
      'Loudness · −24 dB',
    ]);
  });

  it('comes with advice if it is unusual', () => {
    const shown = lines({
      wordsPerMinute: 190,
      fillers: ['um', 'um', 'you know', 'um', 'uh'].map(filler),
      pauses: [{ startMs: 1000, endMs: 4100 }],
      firstWordMs: 5000,
      silenceShare: 0.5,
      sound: { ...usualDelivery.sound, speechDb: -50, problem: 'quiet' },
    });
    expect(shown).toEqual([
      'Pace · 190 words per minute · fast',
      'Fillers · 5: um 3, you know 1, uh 1 · many: pause instead',
      'Pauses over 2 s · 1, the longest 3.1 s',
      'First word · after 5.0 s · late',
      'Silence · 50% · a lot',
      'Loudness · −50 dB · too quiet to hear well: move closer',
    ]);
  });

  it("compares the length with the set's suggestion", () => {
    const length = { ms: 80_000, hintSeconds: 120 };
    expect(deliveryFacts(spoken({ length }))[0]).toEqual({
      label: 'Length',
      value: '1:20',
      norm: 'suggested 2 min',
      advice: '',
    });
    expect(lines({ length: { ...length, ms: 60_000 } })[0]).toBe('Length · 1:00 · shorter than suggested');
    expect(lines({ length: { ...length, ms: 170_000 } })[0]).toBe('Length · 2:50 · longer than suggested');
    expect(deliverySummary([spoken({ length })])).toMatch(/^Good pace: 132 words per minute/);
    const short = { length: { ms: 40_000, hintSeconds: 120 } };
    expect(deliverySummary([spoken(), spoken(short, 1)])).toBe('Question 2 lasted 0:40; suggested length 2 min.');
    expect(deliverySummary([spoken(short), spoken(short, 1)])).toBe(
      'Your answers to questions 1, 2 are shorter than suggested (2 min).',
    );
  });

  it('is omitted for recordings of older releases', () => {
    expect(deliveryFacts(interviewRecording())).toEqual([]);
    expect(deliverySummary([interviewRecording()])).toBeNull();
  });

  it('is summarized by what matters most', () => {
    const quiet = spoken({ sound: { ...usualDelivery.sound, problem: 'quiet' } }, 2);
    expect(deliverySummary([spoken(), quiet])).toBe(
      'Too quiet to hear well in question 3: move closer to the microphone.',
    );
    expect(deliverySummary([spoken({ fillers: Array.from({ length: 9 }, (_, at) => filler('um', at)) })])).toBe(
      '9 filler words, most often “um”: a short pause sounds surer.',
    );
    expect(deliverySummary([spoken(), spoken({ wordsPerMinute: 212 }, 1)])).toBe(
      'Fast pace: 172 words per minute · aim for 110–170.',
    );
  });
});
