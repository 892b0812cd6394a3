import { join } from 'node:path';
import { runCommand } from '../backup/run-command.ts';
import { prepareDataFolder, rotateSecrets } from '../src/data-folder.ts';
import { DataFolderBusy } from '../src/keep-watchdog.ts';
import { readSettings } from '../src/settings.ts';
import { StartupError } from '../src/startup-error.ts';
import { createSupervisor } from '../src/supervisor.ts';

/**
 * `npm run secrets:rotate`: replaces the passwords of the servers of `npm start`, and the secrets of links to media and of
 * metrics. The product must be stopped. With compose: `sh deploy/docker/make-env.sh --rotate`.
 */
await runCommand(async () => {
  const { DATA_DIR: dataDir } = readSettings(process.env);
  await prepareDataFolder(dataDir);
  const supervisor = await createSupervisor({
    logDir: join(dataDir, 'logs'),
    lockFile: join(dataDir, 'lock'),
    onEvent: () => {},
    lockWaitMs: 0,
  }).catch((error: unknown) => {
    throw error instanceof DataFolderBusy ? new StartupError(`The product runs on ${dataDir}: stop it first.`) : error;
  });
  try {
    await rotateSecrets(dataDir);
    console.log(`Replaced the secrets of ${dataDir}. They hold from the next start on; open links to media end.`);
  } finally {
    await supervisor.stop();
  }
});
