import { availableParallelism, cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Word } from '@interview-prep/contracts/recording/recordings';
import { ChildCrash, ChildFailure, createWarmChildren, type WarmChildren } from '../../children/warm-children.ts';
import { readLevels } from '../../media/wav-samples.ts';
import type { Span } from '../../speech-detector/speech-spans.ts';
import { EngineError } from '../engine-error.ts';
import type { Transcriber, TranscriptionRequest } from '../transcriber.ts';
import { cutLoops, dropBracketed, type HeardWord, textOf } from './clean-words.ts';
import { findHoles } from './find-holes.ts';
import { fillHole, inOrder, joinWords } from './join-words.ts';
import { findModelProblem, type ModelFile } from './model-file.ts';
import { lengthOf, planWindows, type SpeechWindow, splitEvenly } from './plan-windows.ts';
import type { WhisperJob, WhisperWindow } from './whisper-job.ts';
import { whisperPrompt } from './whisper-prompt.ts';
import { windowWords } from './window-words.ts';

const sampleMs = 100;

function readTimes() {
  let idle = 0;
  let total = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    total += Object.values(times).reduce((sum, time) => sum + time, 0);
  }
  return { idle, total };
}

/** The number of idle cores, among those that this process may use. Takes a tenth of a second. */
async function measureIdleCores(): Promise<number> {
  const before = readTimes();
  await pause(sampleMs);
  const after = readTimes();
  const share = (after.idle - before.idle) / Math.max(1, after.total - before.total);
  return Math.min(availableParallelism(), share * cpus().length);
}

const name = 'whisper';
/** A window takes about ten seconds of CPU time; a busy machine may need far longer. */
const defaultWindowTimeoutMs = 240_000;
/** An answer in progress gets another window if this much of a core is idle. */
const enoughIdle = 0.7;
const slotPollMs = 100;
/** Speech is never faster than this: beyond it the decoder has hallucinated words. */
const fastestWordsPerSecond = 6;
/** The parameters of each retry of a stretch without words. */
const retries = [
  { marginMs: 500, temperature: 0 },
  { marginMs: 2000, temperature: 0.4 },
];

export interface WhisperOptions {
  model: ModelFile;
  /** The number of concurrent windows, each in a child process with one thread. */
  slots: number;
  windowTimeoutMs?: number;
  idleMs?: number;
}

/** A transcriber that exposes its child processes for monitoring. */
export interface WhisperTranscriber extends Transcriber {
  /** Loads the model in a child process. @throws EngineError if this machine can't */
  warmUp(signal: AbortSignal): Promise<void>;
  children: Pick<WarmChildren<WhisperJob, never, WhisperWindow>, 'pids'>;
}

/** OpenAI's Whisper, run by whisper.cpp in child processes. */
export function createWhisperTranscriber(options: WhisperOptions): WhisperTranscriber {
  const { model, slots, windowTimeoutMs = defaultWindowTimeoutMs, idleMs } = options;
  const children = createWarmChildren<WhisperJob, never, WhisperWindow>({
    module: new URL('./whisper-child.ts', import.meta.url),
    args: [model.path],
    slots,
    ...(idleMs === undefined ? {} : { idleMs }),
  });

  /** Windows of complete answers that wait for a slot. */
  let waiting = 0;
  let active = 0;
  /** Whether a core can be spared for an answer in progress; one window may always run. */
  const canSpareCore = async (): Promise<boolean> => {
    if (waiting > 0 || active >= slots) return false;
    const before = active;
    return before === 0 || ((await measureIdleCores()) >= enoughIdle && waiting === 0 && active === before);
  };
  /** Waits for a slot. Complete answers may use all slots, even on a busy machine: they are this worker's share of the cores. */
  const takeSlot = async (signal: AbortSignal, isAhead: boolean): Promise<void> => {
    if (isAhead) {
      while (!(await canSpareCore())) await pause(slotPollMs, undefined, { signal });
    } else {
      waiting += 1;
      try {
        while (active >= slots) await pause(slotPollMs, undefined, { signal });
      } finally {
        waiting -= 1;
      }
    }
    active += 1;
  };

  /** Runs one job in a child. @throws EngineError, or the signal's reason */
  const run = async (
    job: Omit<WhisperJob, 'modelPath'>,
    signal: AbortSignal,
    isAhead = false,
  ): Promise<WhisperWindow> => {
    const problem = await findModelProblem(model);
    if (problem !== null) throw new EngineError(problem, { permanent: false, unusable: true });
    // Loading the model doesn't occupy a core for long.
    const needsSlot = job.pieces.length > 0;
    if (needsSlot) await takeSlot(signal, isAhead);
    try {
      return await children.run({ ...job, modelPath: model.path }, { signal, stepTimeoutMs: windowTimeoutMs });
    } catch (cause) {
      if (!(cause instanceof ChildCrash || cause instanceof ChildFailure)) throw cause;
      const what = cause instanceof ChildCrash ? `stopped: ${cause.message}.` : `failed: ${cause.message}`;
      throw new EngineError(`The speech recognizer ${what}`, { permanent: false, crashed: true, cause });
    } finally {
      if (needsSlot) active -= 1;
    }
  };

  const hear = async (
    pieces: Span[],
    { wavPath, language, signal, soFarMs }: TranscriptionRequest,
    { prompt = '', temperature = 0 },
  ): Promise<HeardWord[]> => {
    const job = { wavPath, language, prompt, temperature, pieces };
    const result = await run(job, signal, soFarMs !== undefined);
    return cutLoops(dropBracketed(windowWords({ pieces }, result)));
  };

  /** Transcribes a window. Retries if the prompt may have cost words, or speech yielded none. */
  const hearWindow = async (window: SpeechWindow, request: TranscriptionRequest): Promise<HeardWord[]> => {
    const { pieces, durationMs } = window;
    const prompt = whisperPrompt(request.glossary);
    const isTooFast = (words: HeardWord[]) => words.length > (durationMs / 1000 + 1) * fastestWordsPerSecond;
    let words = await hear(pieces, request, { prompt });
    const unheardMs = lengthOf(findHoles(pieces, request.speech, words));
    if (prompt !== '' && (isTooFast(words) || unheardMs > 0)) {
      const unprompted = await hear(pieces, request, {});
      const isFuller = lengthOf(findHoles(pieces, request.speech, unprompted)) < unheardMs;
      if (isTooFast(words) || (isFuller && !isTooFast(unprompted))) words = unprompted;
    }
    for (const { marginMs, temperature } of retries) {
      for (const hole of findHoles(pieces, request.speech, words)) {
        const around = { fromMs: Math.max(0, hole.fromMs - marginMs), toMs: hole.toMs + marginMs };
        const filled = fillHole(words, hole, around, await hear([around], request, { temperature }));
        if (filled.length >= words.length) words = filled;
      }
    }
    return words;
  };

  /** Transcribes windows in parallel, and reports the words up to the first missing one. */
  const hearWindows = async (planned: readonly SpeechWindow[], request: TranscriptionRequest): Promise<HeardWord[]> => {
    const { windows = new Map<string, Promise<unknown>>(), onProgress } = request;
    const heard = new Map<SpeechWindow, HeardWord[]>();
    const failed = new AbortController();
    const signal = AbortSignal.any([request.signal, failed.signal]);
    const totalMs = planned.reduce((sum, { durationMs }) => sum + durationMs, 0);
    const hearOnce = (window: SpeechWindow): Promise<unknown> => {
      const key = keyOf(window);
      const known = windows.get(key);
      if (known) return known;
      const words = hearWindow(window, { ...request, signal });
      windows.set(key, words);
      words.catch(() => windows.delete(key));
      return words;
    };
    const hearOne = async (window: SpeechWindow) => {
      heard.set(window, (await hearOnce(window)) as HeardWord[]);
      const heardMs = planned.reduce((sum, one) => sum + (heard.has(one) ? one.durationMs : 0), 0);
      const soFar = joinWindows(planned, heard);
      const percent = Math.round((heardMs / totalMs) * 100);
      onProgress?.({ percent, text: textOf(soFar), words: soFar.map(withoutSpacing) });
    };
    await Promise.all(planned.map(hearOne)).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    });
    return joinWindows(planned, heard);
  };

  return {
    name,
    model: model.name,
    worksByWindows: true,
    async transcribe(request) {
      const { wavPath, speech, language, soFarMs, windows } = request;
      const levels = await readLevels(wavPath);
      const planned = planWindows(speech, levels, soFarMs);
      const firstUnheard = planned.findIndex((window) => !windows?.has(keyOf(window)));
      // The candidate is waiting for the windows that were not transcribed ahead.
      if (soFarMs === undefined && firstUnheard >= 0)
        planned.push(...splitEvenly(planned.splice(firstUnheard), levels, slots));
      const kept = await hearWindows(planned, request);
      const endMs = planned.at(-1)?.pieces.at(-1)?.toMs ?? 0;
      const words = kept.map(withoutSpacing);
      const engine = `${name} ${model.name}`;
      return {
        text: textOf(kept),
        words,
        language,
        engine,
        gaps: findHoles([{ fromMs: 0, toMs: endMs }], speech, kept),
      };
    },
    async warmUp(signal) {
      await run({ wavPath: '', language: 'en', prompt: '', temperature: 0, pieces: [] }, signal);
    },
    prepare: () => children.prepare(),
    children,
    close: () => children.close(),
  };
}

const withoutSpacing = ({ glued: _, ...word }: HeardWord): Word => word;
const keyOf = ({ pieces }: SpeechWindow): string => pieces.map(({ fromMs, toMs }) => `${fromMs}-${toMs}`).join(' ');

/** Joins the words up to the first window that was not transcribed, without duplicates from overlaps. */
function joinWindows(
  windows: readonly SpeechWindow[],
  heard: ReadonlyMap<SpeechWindow, readonly HeardWord[]>,
): HeardWord[] {
  let words: HeardWord[] = [];
  let endMs = 0;
  for (const window of windows) {
    const found = heard.get(window);
    if (!found) break;
    const startMs = window.pieces[0]?.fromMs ?? endMs;
    words = startMs < endMs ? joinWords(words, found, { fromMs: startMs, toMs: endMs }) : words.concat(found);
    endMs = window.pieces.at(-1)?.toMs ?? endMs;
  }
  return inOrder(cutLoops(words));
}
