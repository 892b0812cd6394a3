import { afterAll, expect, it } from 'vitest';
import { createSpeechDetector } from '../../src/speech-detector/speech-detector.ts';
import { speakAsWebm, temporaryFolder, wavOf } from '../engines/spoken-answer.ts';

const detector = createSpeechDetector(1);
afterAll(() => detector.close());

it('judges each sound independently of earlier ones', async () => {
  const { signal } = new AbortController();
  await using first = await temporaryFolder();
  await using second = await temporaryFolder();
  const long = await wavOf(
    await speakAsWebm('A closure keeps the variables of its scope alive.', first.path),
    first.path,
  );
  const short = await wavOf(await speakAsWebm('Yes.', second.path), second.path);
  const alone = await detector.findSpeech(long, signal);
  expect(alone.at(-1)?.toMs).toBeGreaterThan(2000);
  expect((await detector.findSpeech(short, signal)).at(-1)?.toMs).toBeLessThan(1500);
  expect(await detector.findSpeech(long, signal)).toEqual(alone);
});
