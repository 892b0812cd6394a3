import { openInstallation, runCommand } from '../backup/installation.ts';
import { findRemains } from './find-remains.ts';

/**
 * `npm run check-deletions`: reads every store and prints traces of deleted data. Exits with status 1 if there are any.
 * The product may be running or stopped; a deletion takes up to a minute.
 */
await runCommand(async () => {
  const installation = await openInstallation(process.env, { needsRedis: true, whileRunning: true });
  try {
    const { deletions, remains } = await findRemains(installation);
    for (const remain of remains) console.log(remain);
    console.log(`${deletions} deletions checked; ${remains.length || 'no'} traces left.`);
    if (remains.length > 0) process.exitCode = 1;
  } finally {
    await installation.close();
  }
});
