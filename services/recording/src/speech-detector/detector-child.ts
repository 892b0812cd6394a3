/** The child process of the speech detector: Silero's voice detector on ONNX Runtime. */
import { readFile, writeFile } from 'node:fs/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { serveJobs } from '../children/serve-jobs.ts';
import { readWavSamples, wavDurationMs, wavSampleRate } from '../media/wav-samples.ts';
import type { DetectorJob } from './speech-detector.ts';
import { type Span, speechSpans } from './speech-spans.ts';

/** The detector takes frames of 512 samples, each preceded by the last 64 samples of the frame before. */
const frameSamples = 512;
const contextSamples = 64;
const chunkMs = 32_000;
/**
 * Quiet recordings are amplified up to this peak and by at most this factor. The gain follows the loudest sample so far, so
 * that the result for a growing recording does not change.
 */
const wantedPeak = 0.3;
const maxGain = 16;

const model = await readFile(new URL('../../models/silero-vad-v5.onnx', import.meta.url));
const session = await InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 });
const sampleRate = new Tensor('int64', BigInt64Array.from([BigInt(wavSampleRate)]), [1]);

/** The detector's state within a sound. */
interface Progress {
  /** One for each frame so far. */
  probabilities: number[];
  peak: number;
  /** The last samples, amplified. */
  context: number[];
  memory: number[];
}

/** Creates a fresh state for each sound, since probabilities are appended to it. */
const start = (): Progress => ({
  probabilities: [],
  peak: 0,
  context: Array(contextSamples).fill(0),
  memory: Array(2 * 128).fill(0),
});

/** Starts over if there is no file yet, or a process was killed while writing it. */
async function readProgress(path: string | undefined): Promise<Progress> {
  if (path === undefined) return start();
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Progress;
  } catch {
    return start();
  }
}

/** The last frames of a growing sound are incomplete, or end in a resampler's flush. */
const unsettledFrames = 2;

serveJobs<DetectorJob, null, Span[]>(async ({ wavPath, statePath }, report) => {
  const durationMs = await wavDurationMs(wavPath);
  const { probabilities, peak: lastPeak, context, memory } = await readProgress(statePath);
  let peak = lastPeak;
  const input = new Float32Array(contextSamples + frameSamples);
  input.set(context, frameSamples);
  let state = new Tensor('float32', Float32Array.from(memory), [2, 1, 128]);
  const frameMs = (frameSamples / wavSampleRate) * 1000;
  const settledFrames = Math.floor(durationMs / frameMs) - unsettledFrames;
  for (let fromMs = probabilities.length * frameMs; fromMs < durationMs; fromMs += chunkMs) {
    const samples = await readWavSamples(wavPath, fromMs, fromMs + chunkMs);
    for (let at = 0; at < samples.length; at += frameSamples) {
      input.copyWithin(0, frameSamples);
      const frame = samples.subarray(at, at + frameSamples);
      peak = frame.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), peak);
      const gain = Math.min(maxGain, Math.max(1, wantedPeak / peak));
      for (let sample = 0; sample < frameSamples; sample++)
        input[contextSamples + sample] = (frame[sample] ?? 0) * gain;
      const { output, stateN } = await session.run({
        input: new Tensor('float32', input, [1, input.length]),
        state,
        sr: sampleRate,
      });
      probabilities.push(Number(output?.data[0] ?? 0));
      state = stateN as typeof state;
      if (statePath !== undefined && probabilities.length === settledFrames) {
        const progress = { probabilities, peak, context: [...input.subarray(frameSamples)], memory: [...state.data] };
        await writeFile(statePath, JSON.stringify(progress), { mode: 0o600 });
      }
    }
    report(null);
  }
  return speechSpans(probabilities);
});
