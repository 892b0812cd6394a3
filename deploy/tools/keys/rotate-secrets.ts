import { rotateSecrets } from '@interview-prep/local/data-folder';
import { DataFolderBusy } from '@interview-prep/local/keep-watchdog';
import { readSettings, StartupError } from '@interview-prep/local/settings';
import { lockDataFolder } from '@interview-prep/local/supervisor';
import { runCommand } from '../backup/installation.ts';

/**
 * `npm run secrets:rotate`: replaces the passwords of the servers of `npm start`, and the secrets for media links and metrics.
 * The product must be stopped. With compose: `sh deploy/docker/make-env.sh --rotate`.
 */
await runCommand(async () => {
  const { DATA_DIR: dataDir } = readSettings(process.env);
  const supervisor = await lockDataFolder(dataDir).catch((error: unknown) => {
    throw error instanceof DataFolderBusy ? new StartupError(`The product runs on ${dataDir}: stop it first.`) : error;
  });
  try {
    await rotateSecrets(dataDir);
    console.log(
      `Replaced the secrets of ${dataDir}. They take effect at the next start. Media links that are open now stop working.`,
    );
  } finally {
    await supervisor.stop();
  }
});
