import { buildIndexes } from '@interview-prep/kit/mongo/mongo';
import { parseSettings, settingsOf } from '@interview-prep/kit/process/config';
import { runService } from '@interview-prep/kit/process/run-service';
import { createRemoteTokenVerifier } from '@interview-prep/kit/tokens/access-tokens';
import { createApp } from './app.ts';
import { openCatalog } from './catalog.ts';
import { migrations } from './migrations/migrations.ts';
import { consumeRepublish } from './republish.ts';
import { loadSeed } from './seed/load-seed.ts';
import { readSeedFiles } from './seed/seed-files.ts';

const settings = parseSettings(settingsOf('catalog'));

await runService({ name: 'catalog', database: 'catalog', migrations, settings }, async (connections) => {
  const { log, mongo, redis, workerRedis, prefix, jobs, appOptions } = connections;
  const catalog = openCatalog({ mongo, redis, prefix, jobs, log });
  await buildIndexes(mongo);
  if (settings.SEED === 'demo') {
    const loaded = await loadSeed(mongo, catalog, await readSeedFiles());
    if (loaded > 0) {
      // Publish before anyone sees a set: recording needs its copy for the first answer.
      await catalog.technologyOutbox.publishAll();
      await catalog.setOutbox.publishAll();
      log.info({ loaded }, 'loaded demonstration data');
    }
  }
  const worker = consumeRepublish(catalog, { connection: workerRedis, prefix, log });
  const verify = createRemoteTokenVerifier(settings.AUTH_JWKS_URL, redis, prefix);

  return {
    app: createApp({ ...appOptions, catalog, verify }),
    closers: [() => worker.close(), () => catalog.stop()],
  };
});
