import { parseArgs } from 'node:util';
import { type ChainedEntry, checkChain } from '@interview-prep/kit/audit/audit-chain';
import { openInstallation, runCommand } from '../backup/installation.ts';
import { readManifest } from '../backup/manifest.ts';

/**
 * `npm run check-audit [-- --backup FOLDER | --mark PLACE:HASH]`: checks that no entry of the audit log was changed, removed
 * or inserted. With a backup, or the mark of an earlier entry, it also checks that nothing up to that point is
 * missing. It prints the mark of the last entry. Exits with status 1 if something is wrong. The product may be running.
 */
await runCommand(async () => {
  const { values } = parseArgs({ options: { mark: { type: 'string' }, backup: { type: 'string' } } });
  const noted = values.backup === undefined ? values.mark : (await readManifest(values.backup)).auditMark;
  const installation = await openInstallation(process.env, { needsRedis: false, whileRunning: true });
  try {
    const { mongo, databaseName } = installation;
    // MongoDB deletes expired entries with a delay.
    const kept = mongo
      .db(databaseName('audit'))
      .collection<ChainedEntry>('entries')
      .find({ expiresAt: { $gt: new Date() } })
      .sort({ _id: 1 });
    const { count, first, mark, problems } = await checkChain(kept, noted);
    for (const problem of problems) console.log(problem);
    const verdict = problems.length === 0 ? 'an unbroken chain' : `${problems.length} problems`;
    console.log(`${count} entries, ${verdict}.${mark ? ` The last one: ${mark}` : ''}`);
    if (first && first._id > 1) {
      const [from, until] = [first.at, first.expiresAt].map((date) => date.toISOString().slice(0, 10));
      console.log(
        `It begins with entry ${first._id} of ${from}, kept until ${until}: those before it have expired, or were removed.`,
      );
    }
    if (problems.length > 0) process.exitCode = 1;
  } finally {
    await installation.close();
  }
});
