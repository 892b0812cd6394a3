import { runCommand } from '../backup/run-command.ts';
import { rotateSecrets } from '../src/data-folder.ts';
import { DataFolderBusy } from '../src/keep-watchdog.ts';
import { lockDataFolder } from '../src/lock-data-folder.ts';
import { readSettings } from '../src/settings.ts';
import { StartupError } from '../src/startup-error.ts';

/**
 * `npm run secrets:rotate`: replaces the passwords of the servers of `npm start`, and the secrets of links to media and of
 * metrics. The product must be stopped. With compose: `sh deploy/docker/make-env.sh --rotate`.
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
