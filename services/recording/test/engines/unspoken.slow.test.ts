import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { modelFile } from '../../src/engines/whisper/model-file.ts';
import { whisperPrompt } from '../../src/engines/whisper/whisper-prompt.ts';
import { createWhisperTranscriber } from '../../src/engines/whisper/whisper-transcriber.ts';
import { createSpeechDetector } from '../../src/speech-detector/speech-detector.ts';
import { temporaryFolder } from './spoken-answer.ts';
import { clipPath, inventedTerms, soundClips, spokenClips, unspokenGlossary } from './unspoken-clips.ts';

// Each spoken clip takes Whisper some seconds, and far longer if many tests share the machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const { signal } = new AbortController();
const detector = createSpeechDetector(1);
// One child transcribes all clips.
const transcriber = createWhisperTranscriber({ model: modelFile(), slots: 1 });
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  detector.close();
  transcriber.close?.();
  await folder[Symbol.asyncDispose]();
});

async function hear(clip: (typeof soundClips)[number], index: number): Promise<string> {
  const wavPath = clipPath(folder.path, index);
  await clip.make(wavPath);
  // Skip the level check that precedes it: the detector must manage on its own.
  const speech = await detector.findSpeech(wavPath, signal);
  const request = { wavPath, speech, language: 'en', glossary: unspokenGlossary, signal };
  return speech.length === 0 ? '' : (await transcriber.transcribe(request)).text;
}

describe('a glossary adds no words that were not said', () => {
  it('is a real one', () => {
    expect(whisperPrompt(unspokenGlossary)).toMatch(/^Glossary: useEffect, PostgreSQL, .*closures/);
    const [clip] = spokenClips;
    expect(inventedTerms(clip!, 'I use PostgreSQL and a closure.')).toEqual(['PostgreSQL']);
  });

  it.each(soundClips.map((clip, index) => ({ clip, index, name: clip.name })))(
    '$name: no term',
    async ({ clip, index }) => {
      expect(inventedTerms(clip, await hear(clip, index))).toEqual([]);
    },
  );

  // `npm run bench` tries all twelve, since each takes five seconds of CPU time. stages.test.ts tries a longer one.
  const [shortest] = spokenClips;
  it(`${shortest!.name}: no term`, async () => {
    const text = await hear(shortest!, soundClips.length);
    expect(text).not.toBe('');
    expect(inventedTerms(shortest!, text)).toEqual([]);
  });
});
