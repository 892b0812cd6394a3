/**
 * The backing services of a product under test, started and supervised as `npm start` does. They run beside it, so that
 * proxies fit in between.
 *
 *     node backing-main.ts FOLDER    sends the services' addresses over its IPC channel
 */
import { join } from 'node:path';
import { startBackingServices } from '@interview-prep/local/backing-services';
import { keepSecrets, prepareDataFolder } from '@interview-prep/local/data-folder';
import { createSupervisor } from '@interview-prep/local/supervisor';

const dataDir = process.argv[2];
if (!dataDir) throw new Error('Name the folder for the data');

await prepareDataFolder(dataDir);
const supervisor = await createSupervisor({
  logDir: join(dataDir, 'logs'),
  lockFile: join(dataDir, 'lock'),
  onEvent: (event) => console.log(JSON.stringify(event)),
});

async function stop(): Promise<void> {
  await supervisor.stop();
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
// The harness is gone.
process.on('disconnect', () => void stop());
const settings = await startBackingServices(supervisor, {
  dataDir,
  secrets: await keepSecrets(dataDir),
  env: {},
  hasRedisAdministrator: true,
});
process.send?.(settings);
