import { buildIndexes } from '@interview-prep/kit/mongo/mongo';
import { parseSettings, settingsOf } from '@interview-prep/kit/process/config';
import { runService } from '@interview-prep/kit/process/run-service';
import { createRemoteTokenVerifier } from '@interview-prep/kit/tokens/access-tokens';
import { createMediaCookie, createMediaTokens } from '@interview-prep/kit/tokens/media-tokens';
import { createApp } from './app.ts';
import { consumeEvents } from './consume-events.ts';
import { migrations } from './migrations/migrations.ts';
import { historyModels } from './projection/model.ts';
import { startRebuild } from './projection/rebuild.ts';

const settings = parseSettings(settingsOf('history'));

await runService({ name: 'history', database: 'history', migrations, settings }, async (connections) => {
  const { log, mongo, redis, workerRedis, prefix, jobs, appOptions } = connections;
  const models = historyModels(mongo);
  await buildIndexes(mongo);
  const worker = consumeEvents({ models, connection: workerRedis, redis, prefix, log });

  // Without a copy of the groups, history asks auth for them.
  if (!(await models.groups.hasCopy())) await jobs.add('auth', 'republish', { since: null });
  const stopRebuild = await startRebuild({ models, jobs, log });

  return {
    app: createApp({
      ...appOptions,
      models,
      visibility: settings.HISTORY_VISIBILITY,
      mediaTokens: createMediaTokens(settings.MEDIA_TOKEN_SECRET),
      mediaCookie: createMediaCookie(settings.MEDIA_TOKEN_SECRET, settings.PUBLIC_URL),
      verify: createRemoteTokenVerifier(settings.AUTH_JWKS_URL, redis, prefix),
    }),
    closers: [() => worker.close(), async () => stopRebuild()],
  };
});
