import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { REPOSITORY, StartupError } from '@interview-prep/local/settings';
import { checkBackup } from './check-backup.ts';
import { openInstallation, runCommand } from './installation.ts';
import { describeBackup } from './manifest.ts';
import { restore } from './restore.ts';

/**
 * `npm run restore -- FOLDER [--replace | --check]`: restores a backup into a stopped, empty installation. `--replace`
 * deletes existing data; `--check` only verifies the backup.
 */
await runCommand(async () => {
  const { values, positionals } = parseArgs({
    options: { replace: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) {
    throw new StartupError('Name the folder of one backup: npm run restore -- backups/NAME');
  }
  const startedAt = performance.now();
  const folder = resolve(REPOSITORY, name);
  if (values.check) {
    console.log(`The backup is complete and undamaged: ${describeBackup(await checkBackup(folder), startedAt)}`);
    return;
  }
  const installation = await openInstallation(process.env, { needsRedis: true, whileRunning: false });
  try {
    const manifest = await restore(installation, folder, values);
    console.log(`Restored ${describeBackup(manifest, startedAt)}\nStart the product. Everyone has to sign in again.`);
  } finally {
    await installation.close();
  }
});
