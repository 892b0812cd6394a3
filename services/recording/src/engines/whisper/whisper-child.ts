/** The child process of the engine `whisper`. whisper.cpp runs in-process and blocks while it transcribes. */
import { setTimeout as pause } from 'node:timers/promises';
import { Whisper, WhisperFullParams, WhisperSamplingStrategy } from '@napi-rs/whisper';
import { serveJobs } from '../../children/serve-jobs.ts';
import { readWavSamples, wavSampleRate } from '../../media/wav-samples.ts';
import type { Span } from '../../speech-detector/speech-spans.ts';
import type { WhisperJob, WhisperWindow } from './whisper-job.ts';

/** Whisper rejects audio shorter than a second. */
const leastSamples = wavSampleRate + wavSampleRate / 10;
/**
 * Silence appended to a window. whisper.cpp stops at the first timestamp in the last second, so without it the last word
 * could be lost; a whole second would cost another pass.
 */
const silenceSamples = 0.7 * wavSampleRate;
/**
 * By default the encoder reads 30 s even for short windows, which takes several times as long. With only 3 s beyond the window,
 * one short answer was transcribed twice.
 */
const readBeyondMs = 6000;
/** The length of one encoder position. */
const frameMs = 20;
const framesMax = 1500;
/** Words arrive on later turns of the event loop, after the call has returned. */
const wordsTimeoutMs = 2000;

let loaded: { path: string; whisper: Whisper } | undefined;

function load(path: string): Whisper {
  if (loaded?.path !== path) loaded = { path, whisper: new Whisper(path) };
  return loaded.whisper;
}

async function readPieces(wavPath: string, pieces: readonly Span[]): Promise<Float32Array> {
  const parts: Float32Array[] = [];
  for (const { fromMs, toMs } of pieces) parts.push(await readWavSamples(wavPath, fromMs, toMs));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const samples = new Float32Array(Math.max(length + silenceSamples, leastSamples));
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return samples;
}

const lettersOf = (text: string): string => text.replace(/\s+/g, '');

async function transcribe(whisper: Whisper, job: WhisperJob, samples: Float32Array): Promise<WhisperWindow> {
  const params = new WhisperFullParams(WhisperSamplingStrategy.BeamSearch);
  // Threads of one window spin while they wait: two take twice the CPU time and save hardly any wall time.
  params.nThreads = 1;
  params.language = job.language;
  params.noContext = true;
  params.temperature = job.temperature;
  const readMs = (samples.length / wavSampleRate) * 1000 + readBeyondMs;
  params.audioCtx = Math.min(framesMax, Math.ceil(readMs / frameMs));
  if (job.prompt !== '') params.initialPrompt = job.prompt;
  params.tokenTimestamps = true;
  params.maxLen = 1;
  params.splitOnWord = true;
  params.printProgress = false;
  params.printRealtime = false;
  params.printTimestamps = false;
  params.printSpecial = false;
  const words: WhisperWindow['words'] = [];
  params.onNewSegment = ({ text, start, end }) => {
    // Whisper's times are in 1/100 s.
    if (text.trim() !== '') words.push({ text: text.trim(), startMs: start * 10, endMs: end * 10 });
  };
  const text = whisper.full(params, samples).trim();
  const deadline = Date.now() + wordsTimeoutMs;
  const isWhole = () => lettersOf(words.map((word) => word.text).join('')) === lettersOf(text);
  do await pause(1);
  while (!isWhole() && Date.now() < deadline);
  return { text, words };
}

// Preloads the model while the worker still looks for speech.
try {
  load(String(process.argv[2]));
} catch {
  // The job retries, and reports the reason.
}

serveJobs<WhisperJob, never, WhisperWindow>(async (job) => {
  const whisper = load(job.modelPath);
  if (job.pieces.length === 0) return { text: '', words: [] };
  return transcribe(whisper, job, await readPieces(job.wavPath, job.pieces));
});
