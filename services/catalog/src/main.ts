import { createTokenVerifier } from '@interview-prep/kit/access-tokens';
import { createJobProducer } from '@interview-prep/kit/job-queues';
import { createLogger } from '@interview-prep/kit/logger';
import { migrate } from '@interview-prep/kit/migrations';
import { buildIndexes, connectMongo } from '@interview-prep/kit/mongo';
import { connectProducer, connectWorker } from '@interview-prep/kit/redis';
import { remoteKeys } from '@interview-prep/kit/remote-keys';
import { runProcess } from '@interview-prep/kit/run-process';
import { createTokenDenylist } from '@interview-prep/kit/token-denylist';
import { createApp } from './app.ts';
import { openCatalog } from './catalog.ts';
import { readSettings } from './config.ts';
import { migrations } from './migrations/migrations.ts';
import { consumeRepublish } from './republish.ts';
import { loadSeed } from './seed/load-seed.ts';
import { readSeedFiles } from './seed/seed-files.ts';

const settings = readSettings();
const log = createLogger('catalog', settings.LOG_LEVEL);

await runProcess(settings, log, async (isStopping) => {
  const prefix = settings.REDIS_PREFIX;
  const mongo = await connectMongo(settings, 'catalog', log);
  await migrate(mongo, migrations, log);
  const redis = await connectProducer(settings.REDIS_URL, log);
  const workerRedis = connectWorker(settings.REDIS_URL, log);
  const jobs = createJobProducer(redis, prefix);
  const catalog = openCatalog({ mongo, redis, prefix, jobs, log });
  await buildIndexes(mongo);
  if (settings.SEED === 'demo') {
    const loaded = await loadSeed(mongo, catalog, await readSeedFiles());
    if (loaded > 0) log.info({ loaded }, 'loaded demonstration data');
  }
  const worker = consumeRepublish(catalog, { connection: workerRedis, prefix, log });

  return {
    app: createApp({
      log,
      isStopping,
      catalog,
      verify: createTokenVerifier(remoteKeys(settings.AUTH_JWKS_URL), createTokenDenylist(redis, prefix)),
      checks: {
        mongodb: async () => Boolean(await mongo.db?.command({ ping: 1 })),
        redis: async () => (await redis.ping()) === 'PONG',
      },
    }),
    closers: [
      () => worker.close(),
      () => catalog.stop(),
      () => jobs.close(),
      async () => workerRedis.disconnect(),
      async () => redis.disconnect(),
      () => mongo.close(),
    ],
  };
});
