import { EngineError } from '../engine-error.ts';
import type { Transcriber } from '../transcriber.ts';
import { ChildCrash, ChildFailure, createWarmChildren, type WarmChildren } from '../warm-children.ts';
import { cutLoops, dropBracketed, type HeardWord, textOf } from './clean-words.ts';
import { findModelProblem, type ModelFile } from './model-file.ts';
import { planWindows, type SpeechWindow } from './plan-windows.ts';
import type { WhisperJob, WhisperWindow } from './whisper-job.ts';
import { whisperPrompt } from './whisper-prompt.ts';
import { windowWords } from './window-words.ts';

const name = 'whisper';
/** For one window of half a minute, which takes ten seconds; a busy machine may need far longer. */
export const defaultStepTimeoutMs = 240_000;

export interface WhisperOptions {
  model: ModelFile;
  /** Recordings at once: child processes. */
  slots: number;
  /** Of the processor, for all recordings together. */
  threads: number;
  stepTimeoutMs?: number;
  idleMs?: number;
}

/** The transcriber, with its child processes for those who watch over them. */
export interface WhisperTranscriber extends Transcriber {
  /** Loads the model in a child process. @throws EngineError where this machine cannot */
  warmUp(signal: AbortSignal): Promise<void>;
  children: Pick<WarmChildren<WhisperJob, WhisperWindow, null>, 'pids'>;
}

/** OpenAI's Whisper by whisper.cpp, in child processes. */
export function createWhisperTranscriber(options: WhisperOptions): WhisperTranscriber {
  const { model, slots, threads, stepTimeoutMs = defaultStepTimeoutMs, idleMs } = options;
  const children = createWarmChildren<WhisperJob, WhisperWindow, null>({
    module: new URL('./whisper-child.ts', import.meta.url),
    args: [model.path],
    slots,
    ...(idleMs === undefined ? {} : { idleMs }),
  });

  let inWork = 0;
  /** A recording that is alone gets all threads. */
  const threadsNow = () => Math.max(1, Math.floor(threads / Math.min(slots, inWork)));

  const listen = async (
    job: Omit<WhisperJob, 'modelPath' | 'threads'>,
    signal: AbortSignal,
    onStep?: (window: WhisperWindow) => void,
  ): Promise<void> => {
    const problem = await findModelProblem(model);
    if (problem !== null) throw new EngineError(problem, { permanent: false, unusable: true });
    inWork += 1;
    try {
      const options = { signal, stepTimeoutMs, ...(onStep ? { onStep } : {}) };
      await children.run({ ...job, modelPath: model.path, threads: threadsNow() }, options);
    } catch (cause) {
      if (cause instanceof ChildCrash)
        throw new EngineError(`The speech recogniser stopped: ${cause.message}.`, {
          permanent: false,
          crashed: true,
          cause,
        });
      if (cause instanceof ChildFailure)
        throw new EngineError(`The speech recogniser failed: ${cause.message}`, {
          permanent: false,
          crashed: true,
          cause,
        });
      throw cause;
    } finally {
      inWork -= 1;
    }
  };

  return {
    name,
    model: model.name,
    async transcribe({ wavPath, speech, language, glossary, signal, onProgress }) {
      const windows = planWindows(speech);
      const totalMs = windows.reduce((sum, { durationMs }) => sum + durationMs, 0);
      const heard: HeardWord[] = [];
      let heardMs = 0;
      let done = 0;
      const onStep = (result: WhisperWindow) => {
        const window = windows[done++] as SpeechWindow;
        heard.push(...dropBracketed(windowWords(window, result)));
        heardMs += window.durationMs;
        onProgress?.({ percent: Math.round((heardMs / totalMs) * 100), text: textOf(cutLoops(heard)) });
      };
      await listen({ wavPath, language, prompt: whisperPrompt(glossary), windows }, signal, onStep);
      const kept = cutLoops(heard);
      const words = kept.map(({ glued: _, ...word }) => word);
      return { text: textOf(kept), words, language, engine: `${name} ${model.name}` };
    },
    warmUp: (signal) => listen({ wavPath: '', language: 'en', prompt: '', windows: [] }, signal),
    prepare: () => children.prepare(),
    children,
    close: () => children.close(),
  };
}
