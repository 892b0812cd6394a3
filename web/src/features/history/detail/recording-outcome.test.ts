import { describe, expect, it } from 'vitest';
import { interviewRecording } from '../../../test/history/history-fixtures.ts';
import { engineLine, recordingOutcome } from './recording-outcome.ts';
import { sessionSummary } from './session-summary.ts';

const { transcription } = interviewRecording();

describe('recordingOutcome', () => {
  it('has nothing to say of what came out whole', () => {
    expect(recordingOutcome('interview', interviewRecording())).toBeNull();
    expect(recordingOutcome('practice', { transcription })).toBeNull();
  });

  it('gives the reason of a failed transcription, in practice too', () => {
    const failed = { transcription: { ...transcription, status: 'failed', error: 'No sound' } } as const;
    expect(recordingOutcome('practice', failed)).toEqual({ text: 'No sound', action: 'Process again', failed: true });
    expect(recordingOutcome('interview', failed)?.text).toBe('No sound');
  });

  it('tells the reason beside a verdict without anything to run again', () => {
    const silence = { transcription, assessment: { status: 'completed', reason: 'Nothing was said' } } as const;
    expect(recordingOutcome('interview', silence)).toMatchObject({ text: 'Nothing was said', action: null });
  });

  it('has words of its own where the server gives none', () => {
    for (const status of ['failed', 'unscored'] as const) {
      expect(recordingOutcome('interview', { transcription, assessment: { status } })).toMatchObject({
        text: expect.stringMatching(/\w/),
        action: 'Judge again',
        failed: status === 'failed',
      });
    }
  });
});

describe('engineLine', () => {
  it('names the engines that are known', () => {
    expect(engineLine({ transcription })).toBe('Transcribed by pocketsphinx en-us');
    const { engine: _engine, ...bare } = transcription;
    expect(engineLine({ transcription: bare, assessment: { status: 'completed', engine: 'reference' } })).toBe(
      'Judged by reference',
    );
    expect(engineLine({ transcription: bare })).toBe('');
  });

  it('names no judge where nothing was heard', () => {
    const { engine } = transcription;
    const assessment = { status: 'completed', engine, reason: 'No answer was heard.' } as const;
    expect(engineLine({ transcription: { ...transcription, text: ' ' }, assessment })).toBe(`Transcribed by ${engine}`);
  });
});

describe('sessionSummary', () => {
  it('averages over what has been judged', () => {
    const recordings = [
      interviewRecording({ questionId: 0, correctnessPercentage: 81 }),
      interviewRecording({ questionId: 1, correctnessPercentage: 0, isCorrect: false }),
      interviewRecording({ questionId: 2, correctnessPercentage: null, isCorrect: null }),
    ];
    expect(sessionSummary({ questions: ['a', 'b', 'c', 'd'], recordings })).toEqual({
      average: 41,
      answered: 3,
      questions: 4,
      judged: 2,
      correct: 1,
    });
    expect(sessionSummary({ questions: [], recordings: [] }).average).toBeNull();
  });
});
