import { availableParallelism } from 'node:os';
import { parseEngineSettings, speechEngines } from '../../../../services/recording/src/engines/registry.ts';
import { createSpeechDetector } from '../../../../services/recording/src/speech-detector/speech-detector.ts';
import type { Clip } from './clips.ts';

/** A clip with its transcript; '' if the detector found no speech. */
export interface Heard {
  clip: Clip;
  text: string;
}

/** A detector and an engine, as the worker uses them. */
export interface Ears {
  /** Transcribes a clip; '' if the detector finds no speech. */
  hear(clip: Pick<Clip, 'wavPath' | 'glossary'>): Promise<string>;
  close(): void;
}

/** Prepares an engine; null if it can't run here. @param threads the engine's threads; it transcribes one clip at a time */
export async function openEars(engineName: string, threads = availableParallelism()): Promise<Ears | null> {
  const settings = parseEngineSettings({ SPEECH_ENGINE: engineName });
  const engine = speechEngines.find(({ name }) => name === engineName);
  if (!engine || (await engine.findProblem?.(settings)) !== null) return null;
  const { signal } = new AbortController();
  const detector = createSpeechDetector(1);
  const transcriber = await engine.create(settings, { threads });
  return {
    async hear({ wavPath, glossary }) {
      const speech = await detector.findSpeech(wavPath, signal);
      if (speech.length === 0) return '';
      const { text } = await transcriber.transcribe({ wavPath, speech, language: 'en', glossary, signal });
      return text;
    },
    close() {
      detector.close();
      transcriber.close?.();
    },
  };
}

/** Transcribes clips sequentially; null if the engine can't run here. */
export async function hearClips(engineName: string, clips: readonly Clip[]): Promise<Heard[] | null> {
  const ears = await openEars(engineName);
  if (!ears) return null;
  try {
    const heard: Heard[] = [];
    for (const clip of clips) heard.push({ clip, text: await ears.hear(clip) });
    return heard;
  } finally {
    ears.close();
  }
}
