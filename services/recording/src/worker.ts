import { availableParallelism } from 'node:os';
import { createServiceApp } from '@interview-prep/kit/http/service-app';
import { buildIndexes } from '@interview-prep/kit/mongo/mongo';
import { parseSettings, settingsOf } from '@interview-prep/kit/process/config';
import { repeat } from '@interview-prep/kit/process/repeat';
import { runService } from '@interview-prep/kit/process/run-service';
import { startMeasuringCutOffs } from './answer-parts/transcribe-ahead.ts';
import { createFittedThresholds } from './calibration/fitted-thresholds.ts';
import { reportEngines } from './engines/engine-reports.ts';
import { referenceEngineName } from './engines/reference/reference-assessor.ts';
import { checkEngineServers, createAssessor, engineRules, openTranscriber } from './engines/registry.ts';
import { migrations } from './migrations/migrations.ts';
import { recordingModels } from './models.ts';
import { createObjectStore } from './object-store/object-store.ts';
import { createEstimates } from './recordings/estimates.ts';
import { createRecordingOutbox } from './recordings/recording-outbox.ts';
import { createSpeechDetector } from './speech-detector/speech-detector.ts';
import { consumeStages } from './stages/consume-stages.ts';
import { createStageMetrics } from './stages/metrics.ts';
import type { StageDeps } from './stages/run-stage.ts';
import { startSweeper } from './stages/sweep.ts';
import { openWavCache } from './stages/wav-cache.ts';
import { consumeTrials } from './trials/consume-trials.ts';
import { openWorkFolder, registerDisk, spoolMaxBytes } from './work-folder.ts';

const cacheSweepMs = 10 * 60_000;
const settings = parseSettings(settingsOf('worker'), process.env, engineRules);

const service = { name: 'worker', database: 'recording', migrations, settings, sweepsAudit: false };

await runService(service, async (connections) => {
  const { log, mongo, redis, workerRedis, prefix, jobs, appOptions } = connections;
  await checkEngineServers(settings);
  const models = recordingModels(mongo);
  await buildIndexes(mongo);
  const work = await openWorkFolder(settings.SPOOL_DIR, 'recording-work');
  const wavs = await openWavCache(settings.SPOOL_DIR, spoolMaxBytes);
  await work.sweep();
  const store = createObjectStore(settings);
  await store.prepare(log);
  // The HTTP process sweeps the outbox.
  const outbox = createRecordingOutbox({ models, jobs, redis, prefix, log, sweeps: false });
  const metrics = createStageMetrics();
  const cores = Math.max(1, Math.floor(availableParallelism() / settings.WORKERS));
  // Assume about four cores per transcription.
  const concurrency = Math.min(4, Math.max(2, Math.floor(cores / 4)));
  const transcriber = await openTranscriber(settings, log, cores, (engine) => metrics.fallbacks.inc({ engine }));
  const detector = createSpeechDetector(concurrency);
  const fitted = createFittedThresholds(models);
  const assessor = await createAssessor(settings, () => fitted(referenceEngineName));
  const stages: StageDeps = {
    models,
    store,
    jobs,
    outbox,
    log,
    work,
    wavs,
    metrics,
    estimates: createEstimates({ models, redis, prefix, log }),
    redis,
    prefix,
    detector,
    transcriber,
    assessor,
    language: settings.SPEECH_LANGUAGE,
  };
  const workers = consumeStages(stages, {
    connection: workerRedis,
    prefix,
    concurrency,
    lockMs: settings.JOB_LOCK_MS,
  });
  workers.push(
    consumeTrials({ models, assessor, redis, prefix, log }, { connection: workerRedis, lockMs: settings.JOB_LOCK_MS }),
  );
  // A worker on another machine may have transcribed a file that this cache still holds.
  const stopCacheSweep = repeat(cacheSweepMs, wavs.sweep, (error) =>
    log.warn({ err: error }, 'sweeping the WAV cache failed'),
  );
  const readEngines = () => {
    const { engine, unavailable } = transcriber.status();
    return { speech: engine, unavailable, assess: [assessor.name, assessor.model].filter(Boolean).join(' ') };
  };
  const stopReporting = reportEngines({ redis, prefix }, readEngines, log);
  const stopSweeper = startSweeper({ models, jobs, redis, prefix, log });
  const stopMeasuring = startMeasuringCutOffs(stages);

  return {
    app: createServiceApp({
      ...appOptions,
      checks: { ...appOptions.checks, objects: () => store.works() },
      metrics(registry) {
        metrics.register(registry);
        registry.registerMetric(store.seconds);
        registerDisk(registry, settings.SPOOL_DIR);
      },
    }),
    // Do this first: the signal may have killed an ffmpeg too, which must not fail its recording.
    closeFirst: [() => Promise.all(workers.map((worker) => worker.close()))],
    closers: [
      stopCacheSweep,
      stopSweeper,
      stopMeasuring,
      stopReporting,
      async () => {
        detector.close();
        transcriber.close();
        assessor.close?.();
      },
    ],
  };
});
