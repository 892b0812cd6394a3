import { availableParallelism } from 'node:os';
import { parseEngineSettings, speechEngines } from '../../../../services/recording/src/engines/registry.ts';
import { createSpeechDetector } from '../../../../services/recording/src/speech-detector/speech-detector.ts';
import type { Clip } from './clips.ts';

/** What an engine heard of a clip; '' where the detector found no speech. */
export interface Heard {
  clip: Clip;
  text: string;
}

/** Transcribes clips one after another, as the worker does; null where the engine cannot run here. */
export async function hearClips(engineName: string, clips: readonly Clip[]): Promise<Heard[] | null> {
  const settings = parseEngineSettings({ SPEECH_ENGINE: engineName });
  const engine = speechEngines.find(({ name }) => name === engineName);
  if (!engine || (await engine.findProblem(settings)) !== null) return null;
  const { signal } = new AbortController();
  const detector = createSpeechDetector(1);
  const transcriber = engine.create(settings, { slots: 1, threads: availableParallelism() });
  try {
    const heard: Heard[] = [];
    for (const clip of clips) {
      const { wavPath, glossary } = clip;
      const speech = await detector.findSpeech(wavPath, signal);
      const request = { wavPath, speech, language: 'en', glossary, signal };
      const text = speech.length === 0 ? '' : (await transcriber.transcribe(request)).text;
      heard.push({ clip, text });
    }
    return heard;
  } finally {
    detector.close();
    transcriber.close?.();
  }
}
