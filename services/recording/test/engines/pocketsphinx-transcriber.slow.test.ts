import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../src/engines/engine-error.ts';
import {
  createPocketsphinxTranscriber,
  parsePocketsphinxOutput,
} from '../../src/engines/pocketsphinx/pocketsphinx-engine.ts';
import requirements from '../../src/engines/pocketsphinx/requirements.json' with { type: 'json' };
import { createReferenceAssessor } from '../../src/engines/reference/reference-assessor.ts';
import { interviewAnswers } from './interview-answers.ts';
import { ffmpeg, speakAsWebm, temporaryFolder, wavOf, wordAccuracy } from './spoken-answer.ts';

const transcriber = createPocketsphinxTranscriber(requirements.debianPackages['pocketsphinx-en-us'].path);
const request = (wavPath: string, signal = new AbortController().signal) => ({
  wavPath,
  speech: [{ fromMs: 0, toMs: 60_000 }],
  language: 'en',
  glossary: [],
  signal,
});

describe('pocketsphinx', () => {
  it.each([2])(
    'transcribes most words of spoken answer %i, with times in order; a good answer scores more than a wrong one',
    async (index) => {
      await using folder = await temporaryFolder();
      const { question, expertAnswer, good, wrong } = interviewAnswers[index]!;
      const heard = async (text: string) =>
        transcriber.transcribe(request(await wavOf(await speakAsWebm(text, folder.path), folder.path)));
      const rightAnswer = await heard(good);
      expect(wordAccuracy(good, rightAnswer.text)).toBeGreaterThanOrEqual(0.6);
      expect(rightAnswer.engine).toBe('pocketsphinx en-us');
      expect(rightAnswer.words.map(({ word }) => word).join(' ')).toBe(rightAnswer.text);
      for (const [at, word] of rightAnswer.words.entries()) {
        expect(word.endMs).toBeGreaterThan(word.startMs);
        expect(word.startMs).toBeGreaterThanOrEqual(rightAnswer.words[at - 1]?.endMs ?? 0);
        expect(word.confidence).toBeGreaterThanOrEqual(0);
        expect(word.confidence).toBeLessThanOrEqual(1);
      }
      const wrongAnswer = await heard(wrong);
      const assess = ({ text, words }: typeof rightAnswer) =>
        createReferenceAssessor().assess({
          question,
          transcript: text,
          words,
          expertAnswer,
          signal: new AbortController().signal,
        });
      const [right, wrongOne] = [await assess(rightAnswer), await assess(wrongAnswer)];
      expect(right.correctnessPercentage).toBeGreaterThan((wrongOne.correctnessPercentage ?? 0) + 20);
    },
    60_000,
  );

  it('returns no words for silence', async () => {
    await using folder = await temporaryFolder();
    const wavPath = join(folder.path, 'silence.wav');
    await ffmpeg('-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', '4', wavPath);
    expect(await transcriber.transcribe(request(wavPath))).toMatchObject({ text: '', words: [] });
  });

  it('reports a file that is not a recording, a missing model, and an unsupported language', async () => {
    await using folder = await temporaryFolder();
    const wavPath = join(folder.path, 'text.wav');
    await writeFile(wavPath, 'this is not sound');
    await expect(transcriber.transcribe(request(wavPath))).rejects.toThrow(
      'The speech recognizer could not read the recording.',
    );
    await expect(createPocketsphinxTranscriber('/nowhere').transcribe(request(wavPath))).rejects.toBeInstanceOf(
      EngineError,
    );
    await expect(transcriber.transcribe({ ...request(wavPath), language: 'de' })).rejects.toMatchObject({
      permanent: true,
      message: 'pocketsphinx supports English only.',
    });
  });

  it('ends its process and passes on the reason when the job is aborted', async () => {
    await using folder = await temporaryFolder();
    const wavPath = join(folder.path, 'noise.wav');
    await ffmpeg('-f', 'lavfi', '-i', 'anoisesrc=r=16000:d=120:a=0.2', wavPath);
    const aborter = new AbortController();
    const transcribing = transcriber.transcribe(request(wavPath, aborter.signal));
    aborter.abort(new Error('the worker stops'));
    await expect(transcribing).rejects.toThrow('the worker stops');
  });
});

describe('parsePocketsphinxOutput', () => {
  it('leaves out fillers and pronunciation numbers, and clamps probabilities', () => {
    const output =
      'the queue\n<s> 0.000 0.150 0.998801\nthe(2) 0.160 0.300 0.561768\n<sil> 0.310 0.400 1.000000\n[NOISE] 0.410 0.450 0.5\n++UM++ 0.46 0.47 0.5\nqueue 0.480 0.900 1.000300\n</s> 0.910 1.000 1.000000\n';
    expect(parsePocketsphinxOutput(output)).toEqual([
      { word: 'the', startMs: 160, endMs: 300, confidence: 0.561768 },
      { word: 'queue', startMs: 480, endMs: 900, confidence: 1 },
    ]);
  });

  it('does not take a line of text for a word, even if it contains numbers', () => {
    expect(parsePocketsphinxOutput('one two three four\n\n')).toEqual([]);
  });
});
