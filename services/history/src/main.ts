import { createTokenVerifier } from '@interview-prep/kit/access-tokens';
import { createJobProducer } from '@interview-prep/kit/job-queues';
import { createLogger } from '@interview-prep/kit/logger';
import { createMediaTokens } from '@interview-prep/kit/media-tokens';
import { migrate } from '@interview-prep/kit/migrations';
import { buildIndexes, connectMongo } from '@interview-prep/kit/mongo';
import { connectProducer, connectWorker } from '@interview-prep/kit/redis';
import { remoteKeys } from '@interview-prep/kit/remote-keys';
import { runProcess } from '@interview-prep/kit/run-process';
import { createTokenDenylist } from '@interview-prep/kit/token-denylist';
import { createApp } from './app.ts';
import { readSettings } from './config.ts';
import { consumeEvents } from './consume-events.ts';
import { migrations } from './migrations/migrations.ts';
import { historyModels } from './sessions/model.ts';

const settings = readSettings();
const log = createLogger('history', settings.LOG_LEVEL);

await runProcess(settings, log, async (isStopping) => {
  const mongo = await connectMongo(settings, 'history', log);
  await migrate(mongo, migrations, log);
  const models = historyModels(mongo);
  await buildIndexes(mongo);
  const redis = await connectProducer(settings.REDIS_URL, log);
  const workerRedis = connectWorker(settings.REDIS_URL, log);
  const prefix = settings.REDIS_PREFIX;
  const jobs = createJobProducer(redis, prefix);
  const worker = consumeEvents({ models, connection: workerRedis, redis, prefix, log });

  // An empty projection is rebuilt from what recording holds.
  if ((await models.sessions.estimatedDocumentCount()) === 0) await jobs.add('recording', 'republish', { since: null });

  return {
    app: createApp({
      log,
      isStopping,
      models,
      mediaTokens: createMediaTokens(settings.MEDIA_TOKEN_SECRET),
      visibility: settings.HISTORY_VISIBILITY,
      verify: createTokenVerifier(remoteKeys(settings.AUTH_JWKS_URL), createTokenDenylist(redis, prefix)),
      checks: {
        mongodb: async () => Boolean(await mongo.db?.command({ ping: 1 })),
        redis: async () => (await redis.ping()) === 'PONG',
      },
    }),
    closers: [
      () => worker.close(),
      () => jobs.close(),
      async () => workerRedis.disconnect(),
      async () => redis.disconnect(),
      () => mongo.close(),
    ],
  };
});
