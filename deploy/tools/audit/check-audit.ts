import { parseArgs } from 'node:util';
import { type ChainedEntry, checkChain } from '@interview-prep/kit/audit/audit-chain';
import { openInstallation } from '../backup/installation.ts';
import { runCommand } from '../backup/run-command.ts';

/**
 * `npm run check-audit [-- --mark PLACE:HASH]`: reads the audit log and checks that no entry was changed, removed or put in
 * between. It prints the mark of the last entry. Noted elsewhere, a mark later shows that nothing up to it is missing. Ends
 * with status 1 where something is wrong. The product may run or be stopped.
 */
await runCommand(async () => {
  const { values } = parseArgs({ options: { mark: { type: 'string' } } });
  const installation = await openInstallation(process.env, { needsRedis: false, whileRunning: true });
  try {
    const { mongo, databaseName } = installation;
    // MongoDB may be about to delete what has expired.
    const kept = mongo
      .db(databaseName('audit'))
      .collection<ChainedEntry>('entries')
      .find({ expiresAt: { $gt: new Date() } })
      .sort({ _id: 1 });
    const { count, first, mark, problems } = await checkChain(kept, values.mark);
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
