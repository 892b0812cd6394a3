import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createJobProducer, type JobContext } from '@interview-prep/kit/redis/job-queues';
import { connectWorker } from '@interview-prep/kit/redis/redis';
import { createAssessor, openTranscriber, parseEngineSettings } from '../../src/engines/registry.ts';
import type { Transcriber, Transcript } from '../../src/engines/transcriber.ts';
import { createEstimates } from '../../src/recordings/estimates.ts';
import type { Recording } from '../../src/recordings/model.ts';
import { createRecordingOutbox } from '../../src/recordings/recording-outbox.ts';
import { createSpeechDetector, type SpeechDetector } from '../../src/speech-detector/speech-detector.ts';
import { consumeStages } from '../../src/stages/consume-stages.ts';
import { createStageMetrics } from '../../src/stages/metrics.ts';
import type { StageDeps } from '../../src/stages/run-stage.ts';
import { openWavCache } from '../../src/stages/wav-cache.ts';
import { openWorkFolder } from '../../src/work-folder.ts';
import type { RecordingUnderTest } from './recording-under-test.ts';

const transcripts = new Map<string, Transcript>();

/**
 * The built-in engines, opened for the first recording with speech. Transcripts are cached by sound for a test file, since each
 * takes seconds of CPU time. Progress is reported only the first time.
 */
function builtInEngines({ backing, onClose }: RecordingUnderTest): Transcriber {
  let opened: Promise<Transcriber> | undefined;
  const open = () => {
    opened ??= openTranscriber(parseEngineSettings({}), backing.log);
    return opened;
  };
  onClose(() => void opened?.then((transcriber) => transcriber.close?.()));
  return {
    name: 'built-in',
    async transcribe(request) {
      const sound = createHash('sha256')
        .update(await readFile(request.wavPath))
        .digest('hex');
      const key = `${request.language} ${sound}`;
      const known = transcripts.get(key) ?? (await (await open()).transcribe(request));
      transcripts.set(key, known);
      return known;
    },
  };
}

/** Warm children shared by all workers of one service, since they take seconds to start. They stop with the service. */
interface Engines {
  detector: SpeechDetector;
  transcriber: Transcriber;
}

const warmEngines = new WeakMap<RecordingUnderTest, Engines>();

function enginesOf(service: RecordingUnderTest): Engines {
  const known = warmEngines.get(service);
  if (known) return known;
  const engines = { detector: createSpeechDetector(1), transcriber: builtInEngines(service) };
  warmEngines.set(service, engines);
  service.onClose(() => engines.detector.close());
  return engines;
}

/** The dependencies of the stages, with the engines selected by an environment: by default the offline ones. */
export async function stageDeps(service: RecordingUnderTest, environment: NodeJS.ProcessEnv = {}): Promise<StageDeps> {
  const { models, store, backing, spoolDir } = service;
  const { log } = backing;
  const prefix = backing.settings.REDIS_PREFIX;
  const redis = await backing.redisAs('worker');
  const jobs = createJobProducer(redis, prefix);
  const settings = parseEngineSettings(environment);
  const engines = enginesOf(service);
  return {
    models,
    store,
    jobs,
    outbox: createRecordingOutbox({ models, jobs, redis, prefix, log, sweeps: false }),
    log,
    language: 'en',
    redis,
    prefix,
    work: await openWorkFolder(spoolDir, 'recording-work'),
    wavs: await openWavCache(spoolDir, 1e9),
    detector: engines.detector,
    // Never cache a test's own speech server: the test is about its responses.
    transcriber: settings.SPEECH_ENGINE === 'openai' ? await openTranscriber(settings, log) : engines.transcriber,
    assessor: await createAssessor(settings),
    estimates: createEstimates({ models, redis, prefix, log }),
    metrics: createStageMetrics(),
  };
}

/** Starts a worker in the test's process, with some parts replaced. @returns a function that stops it and returns its jobs */
export async function startWorker(
  service: RecordingUnderTest,
  environment: NodeJS.ProcessEnv = {},
  changes: Partial<StageDeps> = {},
): Promise<() => Promise<void>> {
  const { settings, log, redisUrlOf } = service.backing;
  const connection = connectWorker(redisUrlOf('worker'), log);
  const options = { connection, prefix: settings.REDIS_PREFIX, concurrency: 2, lockMs: 5000 };
  const deps = { ...(await stageDeps(service, environment)), ...changes };
  const workers = consumeStages(deps, options);
  return async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    connection.disconnect();
  };
}

/** The job context that the queue passes to a stage, by default for the first of several attempts. */
export function jobContext(service: RecordingUnderTest, changes: Partial<JobContext> = {}): JobContext {
  const { log } = service.backing;
  return { log, signal: new AbortController().signal, attempt: 1, lastAttempt: false, ...changes };
}

/** Waits until a recording is in a final state. */
export async function ended(
  { models }: Pick<RecordingUnderTest, 'models'>,
  recordingId: string,
  timeoutMs = 200_000,
): Promise<Recording> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const recording = await models.recordings.findById(recordingId).orFail().lean<Recording>();
    if (recording.awaiting === undefined) return recording;
    if (Date.now() > deadline) throw new Error(`still awaiting ${recording.awaiting}, ${recording.stageStatus}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
