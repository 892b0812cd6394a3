/**
 * The backing services of a product under test, started and supervised like in `npm start`, but separately, so that proxies
 * fit in between.
 *
 *     node backing-main.ts FOLDER [twice]    sends the services' addresses over its IPC channel
 *
 * `twice`: Redis is a primary and a replica with Sentinels and TLS.
 */
import { join } from 'node:path';
import { startRedisGroup } from '@interview-prep/kit/testing/redis-group';
import { startBackingServices } from '@interview-prep/local/backing-services';
import { keepSecrets, prepareDataFolder } from '@interview-prep/local/data-folder';
import { createSupervisor } from '@interview-prep/local/supervisor';

const [dataDir, twice] = process.argv.slice(2);
if (!dataDir) throw new Error('Missing argument: the data folder');

await prepareDataFolder(dataDir);
const supervisor = await createSupervisor({
  logDir: join(dataDir, 'logs'),
  lockFile: join(dataDir, 'lock'),
  onEvent: (event) => console.log(JSON.stringify(event)),
});

const group = twice ? await startRedisGroup(join(dataDir, 'redis-group')) : undefined;

async function stop(): Promise<void> {
  await group?.stop();
  await supervisor.stop();
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
// The harness has exited.
process.on('disconnect', () => void stop());
const settings = await startBackingServices(supervisor, {
  dataDir,
  secrets: await keepSecrets(dataDir),
  env: { REDIS_URL: group?.url },
  hasRedisAdministrator: true,
});
process.send?.({ settings, certificate: group?.certificate });
