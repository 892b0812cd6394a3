import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { childEnvironment } from '@interview-prep/local/child-environment';
import { REPOSITORY } from '@interview-prep/local/settings';
import { openInstallation, runCommand } from '../backup/installation.ts';

/**
 * `npm run keys:rotate [-- --now]`: creates a new signing key for this installation. With `--now` all tokens of earlier keys are
 * rejected, for a stolen key. The product may be running or stopped. KEY_ENCRYPTION_KEY must be the product's own.
 */
await runCommand(async () => {
  const installation = await openInstallation(process.env, { needsRedis: false, whileRunning: true });
  try {
    const { MONGODB_PREFIX, KEY_ENCRYPTION_KEY, KEY_ENCRYPTION_KEY_PREVIOUS } = process.env;
    const keys = { KEY_ENCRYPTION_KEY, KEY_ENCRYPTION_KEY_PREVIOUS };
    const settings = { MONGODB_URI: installation.mongoUri, MONGODB_PREFIX, ...keys };
    const script = join(REPOSITORY, 'services/auth/src/rotate-keys.ts');
    const child = spawn(process.execPath, [script, ...process.argv.slice(2)], {
      env: childEnvironment(settings),
      stdio: 'inherit',
    });
    const [status] = (await once(child, 'exit')) as [number | null];
    process.exitCode = status ?? 1;
  } finally {
    await installation.close();
  }
});
