import { describe, expect, it } from 'vitest';
import { interviewRecording } from '../../../test/history/history-fixtures.ts';
import { engineLine, recordingOutcome } from './recording-outcome.ts';

const { transcription } = interviewRecording();

describe('recordingOutcome', () => {
  it('has no notice for a complete result', () => {
    expect(recordingOutcome('interview', interviewRecording(), true)).toBeNull();
    expect(recordingOutcome('practice', { transcription }, true)).toBeNull();
  });

  it('gives the reason for a failed transcription, in practice too', () => {
    const failed = { transcription: { ...transcription, status: 'failed', error: 'No sound' } } as const;
    expect(recordingOutcome('practice', failed, true)).toEqual({
      text: 'No sound',
      action: 'Process again',
      failed: true,
    });
    expect(recordingOutcome('interview', failed, true)?.text).toBe('No sound');
    const mediaDeletion = { at: '2026-11-20T08:45:00.000Z', afterDays: 30 };
    expect(recordingOutcome('interview', { ...failed, mediaDeletion }, true)).toMatchObject({ action: null });
  });

  it('shows the reason next to a verdict that needs no new run', () => {
    const silence = { transcription, assessment: { status: 'completed', reason: 'Nothing was said' } } as const;
    expect(recordingOutcome('interview', silence, true)).toMatchObject({ text: 'Nothing was said', action: null });
  });

  it('suggests another recording if nothing was heard', () => {
    const silent = { ...transcription, text: '', engine: 'silence check' };
    const assessment = { status: 'completed', reason: 'No answer was heard.' } as const;
    expect(recordingOutcome('interview', { transcription: silent, assessment }, true)).toEqual({
      text: 'No answer was heard.',
      action: null,
      failed: false,
      needsNewRecording: true,
    });
  });

  it('suggests another recording if part of the answer was not transcribed, until it is corrected or reviewed', () => {
    const partly = { ...transcription, gaps: [{ fromMs: 5000, toMs: 9000 }] };
    const assessment = { status: 'completed' } as const;
    expect(recordingOutcome('interview', { transcription: partly, assessment }, true)).toMatchObject({
      text: 'Part of this answer could not be transcribed.',
      needsNewRecording: true,
    });
    const corrected = { ...partly, correctedAt: '2026-11-20T08:45:00.000Z' };
    expect(recordingOutcome('interview', { transcription: corrected, assessment }, true)).toBeNull();
  });

  it('words a missing answer differently for candidates and admins', () => {
    const reason = 'The candidate did not give an answer.';
    const refused = { transcription, assessment: { status: 'completed', reason } } as const;
    expect(recordingOutcome('interview', refused, true)?.text).toBe("You didn't answer this one.");
    expect(recordingOutcome('interview', refused, false)?.text).toBe('No answer was given.');
  });

  it('has default reasons if the server gives none', () => {
    for (const status of ['failed', 'unscored'] as const) {
      expect(recordingOutcome('interview', { transcription, assessment: { status } }, true)).toMatchObject({
        text: expect.stringMatching(/\w/),
        action: 'Score again',
        failed: status === 'failed',
      });
    }
  });
});

describe('engineLine', () => {
  it('names known engines', () => {
    expect(engineLine({ transcription })).toBe('Transcribed by pocketsphinx en-us');
    expect(engineLine({ transcription: { ...transcription, engine: 'whisper base', language: 'de' } })).toBe(
      'Transcribed by whisper base in German',
    );
    const { engine: _engine, ...bare } = transcription;
    expect(engineLine({ transcription: bare, assessment: { status: 'completed', engine: 'reference' } })).toBe(
      'Compared with the expert answer',
    );
    expect(engineLine({ transcription: bare })).toBe('');
  });

  it('does not name the silence check', () => {
    const silent = { ...transcription, text: '', engine: 'silence check' };
    expect(engineLine({ transcription: silent, assessment: { status: 'completed', engine: 'silence check' } })).toBe(
      '',
    );
  });

  it('names a scoring engine', () => {
    const assessment = { status: 'completed', engine: 'openai llama3.1' } as const;
    expect(engineLine({ transcription, assessment })).toBe(
      'Transcribed by pocketsphinx en-us, scored by openai llama3.1',
    );
  });

  it('names no assessor for an empty transcript', () => {
    const { engine } = transcription;
    const assessment = { status: 'completed', engine, reason: 'No answer was heard.' } as const;
    expect(engineLine({ transcription: { ...transcription, text: ' ' }, assessment })).toBe(`Transcribed by ${engine}`);
  });
});
