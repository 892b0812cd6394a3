import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transcriptionText } from '../src/recording/transcription-text.ts';

const text = fc.string({ unit: 'grapheme' });

describe('transcriptionText', () => {
  test('a pending one is not available and a failed one has failed, with or without text', () => {
    fc.assert(
      fc.property(text, (spoken) => {
        expect(transcriptionText({ status: 'pending', text: spoken })).toBe('Transcription Not Available');
        expect(transcriptionText({ status: 'failed', text: spoken })).toBe('Transcription Failed');
      }),
    );
  });

  test('a completed one returns its words, trimmed', () => {
    fc.assert(
      fc.property(text, (spoken) => {
        fc.pre(spoken.trim() !== '' && spoken.trim().toLowerCase() !== 'transcription in progress...');
        expect(transcriptionText({ status: 'completed', text: spoken })).toBe(spoken.trim());
      }),
    );
  });

  test.each(['', '   ', '\n', 'transcription in progress...', ' Transcription in progress... '])(
    'a completed one with %j has no text',
    (spoken) => {
      expect(transcriptionText({ status: 'completed', text: spoken })).toBe('No Transcription Available');
    },
  );

  test.each([null, undefined])('%s has no text', (transcription) => {
    expect(transcriptionText(transcription)).toBe('No Transcription Available');
  });
});
