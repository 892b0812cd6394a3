import { createTokenVerifier } from '@interview-prep/kit/access-tokens';
import { createJobProducer } from '@interview-prep/kit/job-queues';
import { subscribeLiveStatus } from '@interview-prep/kit/live-status';
import { createLogger } from '@interview-prep/kit/logger';
import { createMediaTokens } from '@interview-prep/kit/media-tokens';
import { migrate } from '@interview-prep/kit/migrations';
import { buildIndexes, connectMongo } from '@interview-prep/kit/mongo';
import { connectProducer, connectWorker } from '@interview-prep/kit/redis';
import { remoteKeys } from '@interview-prep/kit/remote-keys';
import { runProcess } from '@interview-prep/kit/run-process';
import { createTokenDenylist } from '@interview-prep/kit/token-denylist';
import { createApp } from './app.ts';
import { readApiSettings } from './config.ts';
import { consumeEvents } from './consume-events.ts';
import { createLiveStreams } from './live/streams.ts';
import { migrations } from './migrations/migrations.ts';
import { recordingModels } from './models.ts';
import { createObjectStore } from './object-store.ts';
import { createRecordingOutbox } from './recordings/announce.ts';
import { openWorkFolder } from './work-folder.ts';

const settings = readApiSettings();
const log = createLogger('recording', settings.LOG_LEVEL);

await runProcess(settings, log, async (isStopping) => {
  const spool = await openWorkFolder(settings.SPOOL_DIR, 'recording-uploads');
  await spool.sweep();
  const mongo = await connectMongo(settings, 'recording', log);
  await migrate(mongo, migrations, log);
  const models = recordingModels(mongo);
  await buildIndexes(mongo);
  const store = createObjectStore(settings);
  await store.prepare(log);
  const prefix = settings.REDIS_PREFIX;
  const redis = await connectProducer(settings.REDIS_URL, log);
  const workerRedis = connectWorker(settings.REDIS_URL, log);
  const liveRedis = connectWorker(settings.REDIS_URL, log);
  const jobs = createJobProducer(redis, prefix);
  const outbox = createRecordingOutbox({ models, jobs, redis, prefix, log, sweeps: true });
  const events = consumeEvents({ models, outbox, connection: workerRedis, prefix, log });
  const streams = createLiveStreams(log);
  await subscribeLiveStatus(liveRedis, prefix, streams.send, log);

  // Without a single copy catalog is asked for all sets.
  if ((await models.sets.estimatedDocumentCount()) === 0) await jobs.add('catalog', 'republish', { since: null });

  return {
    app: createApp({
      ...{ log, isStopping, models, store, jobs, outbox, streams, spool },
      mediaTokens: createMediaTokens(settings.MEDIA_TOKEN_SECRET),
      setPatienceMs: 2000,
      verify: createTokenVerifier(remoteKeys(settings.AUTH_JWKS_URL), createTokenDenylist(redis, prefix)),
      checks: {
        mongodb: async () => Boolean(await mongo.db?.command({ ping: 1 })),
        redis: async () => (await redis.ping()) === 'PONG',
        objects: () => store.works(),
      },
    }),
    closers: [
      async () => streams.close(),
      () => events.close(),
      () => outbox.stop(),
      () => jobs.close(),
      async () => {
        for (const connection of [liveRedis, workerRedis, redis]) connection.disconnect();
      },
      () => mongo.close(),
    ],
  };
});
