import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { REPOSITORY } from '@interview-prep/local/settings';
import { backUp } from './back-up.ts';
import { openInstallation, runCommand } from './installation.ts';
import { describeBackup } from './manifest.ts';

/**
 * `npm run backup [-- --to FOLDER]`: backs up the installation into a new folder in `backups/`, or in FOLDER. The product may
 * be running or stopped.
 */
await runCommand(async () => {
  const { values } = parseArgs({ options: { to: { type: 'string', default: 'backups' } } });
  const startedAt = performance.now();
  const time = new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
  const folder = resolve(REPOSITORY, values.to, `interview-prep-${time}`);
  const installation = await openInstallation(process.env, { needsRedis: false, whileRunning: true });
  try {
    const manifest = await backUp(installation, folder);
    console.log(`Backed up ${describeBackup(manifest, startedAt)}\n${folder}`);
    if (manifest.objects.missing.length > 0) {
      console.error(
        `${manifest.objects.missing.length} recordings have no media in the object store any more. The backup lists them as missing in its manifest.`,
      );
    }
  } finally {
    await installation.close();
  }
});
