import { createRequire } from 'node:module';
import type { Engine } from '../define-engine.ts';
import { EngineError } from '../engine-error.ts';
import type { Transcriber } from '../transcriber.ts';
import { findModelProblem, modelFile } from './model-file.ts';
import requirements from './requirements.json' with { type: 'json' };
import { createWhisperTranscriber } from './whisper-transcriber.ts';

/** This machine as requirements.json names it: platform, architecture and, on Linux, the C library. */
function machinePlatform(): string {
  const { platform, arch } = process;
  if (platform !== 'linux') return `${platform}-${arch}`;
  // Otherwise the report does reverse DNS lookups of open connections, which takes seconds.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return `${platform}-${arch}-${report.header?.glibcVersionRuntime ? 'glibc' : 'musl'}`;
}

const bindings: Record<string, string> = requirements.platforms;

/** Why the binding to whisper.cpp can't be loaded here; null if it can. */
function findBindingProblem(): string | null {
  const platform = machinePlatform();
  const binding = bindings[platform];
  if (binding === undefined) return `There is no build of @napi-rs/whisper for ${platform}.`;
  try {
    createRequire(import.meta.url).resolve(binding);
    return null;
  } catch {
    return `The npm package ${binding} is not installed.`;
  }
}

/** The most windows at once: each one's child takes about 400 MB. */
const maxWindows = 4;

/** Whisper in a child process, with the weights that ship with the product. */
export const whisperEngine: Engine<Transcriber> = {
  name: 'whisper',
  async findProblem({ SPEECH_MODEL }) {
    const model = modelFile(SPEECH_MODEL);
    const problem = findBindingProblem() ?? (await findModelProblem(model));
    if (problem !== null) return problem;
    // A CPU without AVX2 crashes the child here, not at the first recording.
    const probe = createWhisperTranscriber({ model, slots: 1, windowTimeoutMs: 60_000 });
    try {
      await probe.warmUp(new AbortController().signal);
      return null;
    } catch (error) {
      if (error instanceof EngineError) return error.message;
      throw error;
    } finally {
      probe.close?.();
    }
  },
  create: ({ SPEECH_MODEL }, { threads }) =>
    createWhisperTranscriber({ model: modelFile(SPEECH_MODEL), slots: Math.min(threads, maxWindows) }),
};
