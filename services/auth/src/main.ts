import { createJobProducer } from '@interview-prep/kit/job-queues';
import { createLogger } from '@interview-prep/kit/logger';
import { migrate } from '@interview-prep/kit/migrations';
import { connectMongo } from '@interview-prep/kit/mongo';
import { connectProducer, connectWorker } from '@interview-prep/kit/redis';
import { runProcess } from '@interview-prep/kit/run-process';
import { createApp } from './app.ts';
import { openAuth } from './auth.ts';
import { readSettings } from './config.ts';
import { consumeTechnologies } from './consume-technologies.ts';
import { prepareFirstUsers } from './first-users/prepare-first-users.ts';
import { migrations } from './migrations/migrations.ts';

const settings = readSettings();
const log = createLogger('auth', settings.LOG_LEVEL);

await runProcess(settings, log, async (isStopping) => {
  const prefix = settings.REDIS_PREFIX;
  const mongo = await connectMongo(settings, 'auth', log);
  await migrate(mongo, migrations, log);
  const redis = await connectProducer(settings.REDIS_URL, log);
  const workerRedis = connectWorker(settings.REDIS_URL, log);
  const jobs = createJobProducer(redis, prefix);
  const auth = await openAuth({ mongo, redis, jobs, log }, settings);

  await prepareFirstUsers({ mongo, auth, log }, settings);
  if (settings.SMTP_URL === undefined) log.warn('no mail can be sent: SMTP_URL is not set');

  const worker = consumeTechnologies(auth.technologies, { connection: workerRedis, prefix, log });
  // A database that was made anew has not heard of the technologies that catalog told before.
  if (!(await auth.technologies.told())) await jobs.add('catalog', 'republish', { since: null });

  return {
    app: createApp({
      auth,
      log,
      isStopping,
      checks: {
        mongodb: async () => Boolean(await mongo.db?.command({ ping: 1 })),
        redis: async () => (await redis.ping()) === 'PONG',
      },
    }),
    closers: [
      () => worker.close(),
      () => auth.stop(),
      () => jobs.close(),
      async () => workerRedis.disconnect(),
      async () => redis.disconnect(),
      () => mongo.close(),
    ],
  };
});
