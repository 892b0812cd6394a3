import { createJobProducer } from '@interview-prep/kit/job-queues';
import { createLogger } from '@interview-prep/kit/logger';
import { migrate } from '@interview-prep/kit/migrations';
import { buildIndexes, connectMongo } from '@interview-prep/kit/mongo';
import { connectProducer, connectWorker } from '@interview-prep/kit/redis';
import { runProcess } from '@interview-prep/kit/run-process';
import { createServiceApp } from '@interview-prep/kit/service-app';
import { readWorkerSettings } from './config.ts';
import { createAssessor, createTranscriber } from './engines/registry.ts';
import { migrations } from './migrations/migrations.ts';
import { recordingModels } from './models.ts';
import { createObjectStore } from './object-store.ts';
import { createRecordingOutbox } from './recordings/announce.ts';
import { consumeStages } from './stages/consume-stages.ts';
import { createStageSeconds, registerQueueDepth } from './stages/metrics.ts';
import { startSweeper } from './stages/sweep.ts';
import { openWavCache } from './stages/wav-cache.ts';
import { openWorkFolder } from './work-folder.ts';

const tidyMs = 10 * 60_000;
const settings = readWorkerSettings();
const log = createLogger('worker', settings.LOG_LEVEL);

await runProcess(settings, log, async (isStopping) => {
  const work = await openWorkFolder(settings.SPOOL_DIR, 'recording-work');
  const wavs = await openWavCache(settings.SPOOL_DIR);
  await Promise.all([work.sweep(), wavs.sweep()]);
  const mongo = await connectMongo(settings, 'recording', log);
  await migrate(mongo, migrations, log);
  const models = recordingModels(mongo);
  await buildIndexes(mongo);
  const store = createObjectStore(settings);
  await store.prepare(log);
  const prefix = settings.REDIS_PREFIX;
  const redis = await connectProducer(settings.REDIS_URL, log);
  const connection = connectWorker(settings.REDIS_URL, log);
  const jobs = createJobProducer(redis, prefix);
  // The HTTP process looks for what was left untold.
  const outbox = createRecordingOutbox({ models, jobs, redis, prefix, log, sweeps: false });
  const stageSeconds = createStageSeconds();
  const workers = consumeStages(
    {
      ...{ models, store, jobs, outbox, log, work, wavs, stageSeconds },
      transcriber: createTranscriber(settings),
      assessor: createAssessor(settings),
      language: settings.SPEECH_LANGUAGE,
    },
    { connection, prefix, concurrency: settings.WORKER_CONCURRENCY, lockMs: settings.JOB_LOCK_MS },
  );
  // What the transcription stage of another machine's worker was to fetch, it has made again by itself.
  const tidying = setInterval(() => {
    wavs.sweep().catch((error: unknown) => log.warn({ err: error }, 'tidying up failed'));
  }, tidyMs);
  const stopSweeper = startSweeper({ models, jobs, log });

  return {
    app: createServiceApp({
      ...{ log, isStopping },
      checks: {
        mongodb: async () => Boolean(await mongo.db?.command({ ping: 1 })),
        redis: async () => (await redis.ping()) === 'PONG',
        objects: () => store.works(),
      },
      metrics(registry) {
        registry.registerMetric(stageSeconds);
        registerQueueDepth(registry, jobs);
      },
    }),
    // An ffmpeg that ends by the signal that the worker got as well says nothing about its recording.
    closeFirst: [() => Promise.all(workers.map((worker) => worker.close()))],
    closers: [
      async () => clearInterval(tidying),
      stopSweeper,
      () => jobs.close(),
      async () => {
        for (const each of [connection, redis]) each.disconnect();
      },
      () => mongo.close(),
    ],
  };
});
