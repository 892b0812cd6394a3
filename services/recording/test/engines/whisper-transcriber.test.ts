import { execFileSync } from 'node:child_process';
import { appendFile, copyFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pocketsphinxEngine } from '../../src/engines/pocketsphinx/pocketsphinx-engine.ts';
import { parseEngineSettings } from '../../src/engines/registry.ts';
import { openSpeechEngineChain } from '../../src/engines/speech-engine-chain.ts';
import { findModelProblem, modelFile } from '../../src/engines/whisper/model-file.ts';
import { whisperEngine } from '../../src/engines/whisper/whisper-engine.ts';
import { createWhisperTranscriber } from '../../src/engines/whisper/whisper-transcriber.ts';
import { wavDurationMs } from '../../src/media/wav-samples.ts';
import { speakAsWebm, temporaryFolder, wavOf, wordAccuracy } from './spoken-answer.ts';

// Each call takes some seconds, and far longer if many tests share the machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const said = 'The React hook useEffect runs a side effect after the component has rendered.';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let wavPath: string;
let durationMs: number;

beforeAll(async () => {
  folder = await temporaryFolder();
  wavPath = await wavOf(await speakAsWebm(said, folder.path), folder.path);
  durationMs = await wavDurationMs(wavPath);
});
afterAll(() => folder[Symbol.asyncDispose]());

const request = (changes: object = {}) => ({
  wavPath,
  speech: [{ fromMs: 0, toMs: durationMs }],
  language: 'en',
  glossary: ['React', 'useEffect', 'component'],
  signal: new AbortController().signal,
  ...changes,
});

const transcriberOf = (options: Partial<Parameters<typeof createWhisperTranscriber>[0]> = {}) =>
  createWhisperTranscriber({ model: modelFile(), slots: 1, ...options });

async function childOf({ children }: ReturnType<typeof transcriberOf>): Promise<number> {
  for (;;) {
    const [pid] = children.pids();
    if (pid !== undefined) return pid;
    await pause(20);
  }
}

describe('whisper', () => {
  it('transcribes words with their times, reports progress, and keeps its child process warm for a while', async () => {
    const transcriber = transcriberOf({ idleMs: 1500 });
    const progress: number[] = [];
    transcriber.prepare?.();
    const prepared = transcriber.children.pids();
    expect(prepared).toHaveLength(1);
    const transcript = await transcriber.transcribe(
      request({ onProgress: ({ percent }: { percent: number }) => progress.push(percent) }),
    );
    expect(wordAccuracy(said, transcript.text)).toBeGreaterThan(0.8);
    expect(transcript.text).toContain('useEffect');
    expect(transcript.engine).toBe('whisper base-q8_0');
    expect(progress).toEqual([100]);
    expect(transcript.words.map(({ word }) => word).join(' ')).toBe(transcript.text);
    for (const [at, { startMs, endMs, confidence }] of transcript.words.entries()) {
      expect(endMs).toBeGreaterThanOrEqual(startMs);
      expect(startMs).toBeGreaterThanOrEqual(transcript.words[at - 1]?.startMs ?? 0);
      expect(endMs).toBeLessThanOrEqual(durationMs);
      expect(confidence).toBeNull();
    }
    expect(transcriber.children.pids()).toEqual(prepared);
    await vi.waitFor(() => expect(transcriber.children.pids()).toEqual([]), { timeout: 10_000 });
  });

  it('survives children killed by a signal, and handles the next recording', async () => {
    const transcriber = transcriberOf();
    for (const signal of ['SIGKILL', 'SIGILL', 'SIGSEGV'] as const) {
      const transcribing = transcriber.transcribe(request());
      const outcome = expect(transcribing).rejects.toMatchObject({ name: 'EngineError', crashed: true });
      process.kill(await childOf(transcriber), signal);
      await outcome;
    }
    await transcriber.warmUp(new AbortController().signal);
    transcriber.close?.();
  });

  it('survives children that run out of memory: after two of them the next engine transcribes the recording', async () => {
    const whisper = transcriberOf();
    const limited: number[] = [];
    const chain = await openSpeechEngineChain(
      [{ ...whisperEngine, findProblem: async () => null, create: async () => whisper }, pocketsphinxEngine],
      parseEngineSettings({}),
      { threads: 1 },
      { info: () => undefined, warn: () => undefined },
    );
    const transcribing = chain.transcribe(request());
    // Node can start within a gigabyte, but the model doesn't fit as well.
    const limiting = setInterval(() => {
      for (const pid of whisper.children.pids().filter((each) => !limited.includes(each))) {
        execFileSync('prlimit', ['--pid', `${pid}`, `--data=${2 ** 30}`]);
        limited.push(pid);
      }
    }, 5);
    const transcript = await transcribing.finally(() => clearInterval(limiting));
    expect(limited).toHaveLength(2);
    expect(transcript.engine).toBe('pocketsphinx en-us');
    expect(wordAccuracy(said, transcript.text)).toBeGreaterThan(0.3);
    chain.close();
  });

  it('abandons a stopped child while another works', async () => {
    const transcriber = transcriberOf({ slots: 2, windowTimeoutMs: 3000 });
    const stopped = transcriber.transcribe(request());
    const outcome = expect(stopped).rejects.toThrow('The speech recognizer stopped: it did nothing for 3 s.');
    const pid = await childOf(transcriber);
    process.kill(pid, 'SIGSTOP');
    await transcriber.warmUp(new AbortController().signal);
    expect(transcriber.children.pids()).toHaveLength(2);
    await outcome;
    expect(transcriber.children.pids()).not.toContain(pid);
    transcriber.close?.();
  });

  it('transcribes an answer while a child is stopped', async () => {
    const transcriber = transcriberOf({ slots: 2 });
    const aborter = new AbortController();
    const stopped = transcriber.transcribe(request({ signal: aborter.signal }));
    const outcome = expect(stopped).rejects.toThrow('enough');
    const pid = await childOf(transcriber);
    process.kill(pid, 'SIGSTOP');
    expect(wordAccuracy(said, (await transcriber.transcribe(request())).text)).toBeGreaterThan(0.8);
    aborter.abort(new Error('enough'));
    await outcome;
    transcriber.close?.();
  });

  it('ends its child and passes on the reason when the job is aborted', async () => {
    const transcriber = transcriberOf();
    const aborter = new AbortController();
    const transcribing = transcriber.transcribe(request({ signal: aborter.signal }));
    const outcome = expect(transcribing).rejects.toThrow('the worker stops');
    await childOf(transcriber);
    aborter.abort(new Error('the worker stops'));
    await outcome;
    await vi.waitFor(() => expect(transcriber.children.pids()).toEqual([]));
  });
});

describe('model weights', () => {
  it('that ship with the product are complete', async () => {
    expect(await findModelProblem(modelFile())).toBeNull();
    expect(modelFile().name).toBe('base-q8_0');
    expect(modelFile('/models/ggml-small.en.bin').name).toBe('small.en');
  });

  it.each([
    ['are missing', async () => '/nowhere/ggml-base.bin', /is missing\.$/],
    [
      'are not a ggml file',
      async () => {
        const path = join(folder.path, 'text.bin');
        await writeFile(path, 'just text');
        return path;
      },
      /is not a ggml file\.$/,
    ],
  ])('that %s are reported', async (_name, make, message) => {
    const problem = await findModelProblem(modelFile(await make()));
    expect(problem).toMatch(message);
    const transcriber = transcriberOf({ model: modelFile(await make()) });
    await expect(transcriber.transcribe(request())).rejects.toMatchObject({ unusable: true, message: problem });
  });

  it('that are truncated fail like a crash: the next engine is used', async () => {
    const path = join(folder.path, 'ggml-short.bin');
    await copyFile(modelFile().path, path);
    await truncate(path, 20_000_000);
    const transcriber = transcriberOf({ model: modelFile(path) });
    await expect(transcriber.transcribe(request())).rejects.toMatchObject({ crashed: true });
    transcriber.close?.();
  });

  it('are checked again once they change', async () => {
    const path = join(folder.path, 'ggml-changed.bin');
    await writeFile(path, 'lmgg and so on');
    expect(await findModelProblem(modelFile(path))).toBeNull();
    await writeFile(path, 'other');
    await appendFile(path, ' text');
    expect(await findModelProblem(modelFile(path))).toMatch('not a ggml file');
  });
});
