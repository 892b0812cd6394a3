import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTranscriber, parseEngineSettings } from '../src/engines/registry.ts';
import type { Transcriber, Transcript } from '../src/engines/transcriber.ts';
import type { SpeechDetector } from '../src/speech-detector/speech-detector.ts';
import { createSpeechDetector } from '../src/speech-detector/speech-detector.ts';
import { interviewAnswers } from './engines/interview-answers.ts';
import { temporaryFolder, wavOf, wordAccuracy } from './engines/spoken-answer.ts';
import { spoken } from './setup/spoken.ts';

const quietLog = { warn() {}, error() {}, info() {} };
const { signal } = new AbortController();

let transcriber: Transcriber;
let detector: SpeechDetector;
beforeAll(async () => {
  transcriber = await openTranscriber(parseEngineSettings({}), quietLog as never);
  detector = createSpeechDetector(1);
});
afterAll(() => {
  transcriber.close?.();
  detector.close();
});

/** Shortens each pause to 60 ms. */
const withoutPauses = 'silenceremove=stop_periods=-1:stop_duration=0.12:stop_threshold=-45dB:stop_silence=0.06';
const answers = interviewAnswers.slice(0, 3).map(({ good }) => good);
const said = answers.join(' ');

/** The transcript of all answers, spoken as one. */
async function hear(filter?: string, glossary: string[] = []): Promise<Transcript & { spokenUntilMs: number }> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'answer.webm');
  await writeFile(path, await spoken(said, filter));
  const wavPath = await wavOf(path, folder.path);
  const speech = await detector.findSpeech(wavPath, signal);
  const transcript = await transcriber.transcribe({ wavPath, speech, language: 'en', glossary, signal });
  return { ...transcript, spokenUntilMs: speech.at(-1)?.toMs ?? 0 };
}

const glossary = ['event loop', 'promise', 'closure', 'LEFT JOIN', 'index'];

describe('a long answer of several windows', () => {
  it.each([
    ['with pauses', undefined, []],
    ['without pauses and with a glossary', withoutPauses, glossary],
  ])(
    '%s loses and duplicates no words at window boundaries, and keeps its last word',
    async (_, filter, terms) => {
      const { text, words, gaps, spokenUntilMs } = await hear(filter, terms);
      expect(gaps).toEqual([]);
      for (const answer of answers) expect(wordAccuracy(answer, text), answer).toBeGreaterThan(0.7);
      expect(words.length).toBeLessThan(said.split(' ').length * 1.1);
      expect(words.map(({ startMs }) => startMs)).toEqual(
        words.map(({ startMs }) => startMs).toSorted((a, b) => a - b),
      );
      // Don't check the last word's text, which may be misheard.
      expect(words.at(-1)?.endMs).toBeGreaterThan(spokenUntilMs - 800);
    },
    400_000,
  );
});
