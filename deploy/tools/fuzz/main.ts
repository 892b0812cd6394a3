import { randomInt } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { removeFolder } from '@interview-prep/local/data-folder';
import { startStack } from '@interview-prep/local/stack';
import { startIdentityProviders } from './identity-providers.ts';
import { fuzzSettings, type OperationResult, runFuzz } from './run-fuzz.ts';
import { createWorld } from './world.ts';

const { values, positionals } = parseArgs({
  options: { cases: { type: 'string', default: '10000' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const cases = Number(values.cases);
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
if (!Number.isInteger(cases) || cases < 1 || !Number.isInteger(seed)) {
  process.stderr.write('Usage: npm run fuzz -- [--cases NUMBER] [--seed NUMBER] [OPERATION…]\n');
  process.exit(1);
}

/** Preconditions of success that no generated request meets, by operation. The services' tests cover these successes. */
const successNeeds: Record<string, string> = {
  secondFactor: 'a code of an authenticator app',
  confirmTotp: 'a code of an authenticator app',
  renewRecoveryCodes: 'a second factor',
  passkeySignIn: 'an authenticator',
  addPasskey: 'an authenticator',
  removePasskey: 'an authenticator',
  removeAccess: 'the ticket of a reset',
  linksAfterReset: 'the ticket of a reset',
  finishOidcSignIn: "the provider's redirect",
  finishOidcLink: "the provider's redirect",
  linkGoogle: 'an identity that is not linked yet',
  unlinkIdentity: 'a linked identity',
  beginUpload: 'a set, a session and questions that belong together',
  sendPart: 'a part with its digest',
  completeUpload: 'an answer that was sent in parts',
  // Runs right after tryPoints, which shares its rate limit.
  checkPoints: 'fewer trials in the minute before',
  createWebhook: 'a host on the internet',
  deleteWebhook: 'a webhook',
  listDeliveries: 'a webhook',
  redeliver: 'a webhook',
  revokeApiKey: 'an API key',
  exchangeApiKey: 'an API key',
  updateSnippet: 'a snippet',
  deleteSnippet: 'a snippet',
  calendarFeed: 'the address of a calendar',
  correctTranscript: 'an answer in which something was said',
  claimPoint: 'an answer in which something was said',
};

const say = (line: string) => process.stdout.write(`  ${line}\n`);

function report({ operation, cases: run, statuses, unreached, failure }: OperationResult): void {
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status} × ${count}`);
  say(`${failure ? '✗' : '✓'} ${operation.padEnd(27)} ${String(run).padStart(5)}   ${counts.join(', ')}`);
  if (unreached.length > 0) {
    const needs = successNeeds[operation];
    say(`    no case reached ${unreached.join(' or ')}${needs ? `: that needs ${needs}` : ''}`);
  }
  if (!failure) return;
  say(`    ${failure.problem}`);
  say(`    ${failure.curl}`);
  say(`    again: npm run fuzz -- --cases ${run} --seed ${failure.seed} ${operation}`);
}

const folder = await mkdtemp(join(tmpdir(), 'interview-prep-fuzz-'));
const providers = await startIdentityProviders();
const env = {
  ...process.env,
  ...fuzzSettings,
  ...providers.settings,
  PORT: '0',
  DATA_DIR: join(folder, 'data'),
  SEED: 'demo',
};
const stack = await startStack({ env });
try {
  const world = await createWorld(stack, providers.token);
  const startedAt = Date.now();
  say(`seed ${seed}`);
  const results = await runFuzz(world, {
    cases,
    seed,
    ...(positionals.length > 0 ? { only: positionals } : {}),
    onResult: report,
  });
  const sum = results.reduce((total, result) => total + result.cases, 0);
  const failed = results.filter(({ failure }) => failure !== null);
  say(
    `${sum} cases of ${results.length} operations in ${Math.round((Date.now() - startedAt) / 1000)} s, ${failed.length} failed; seed ${seed}`,
  );
  if (failed.length > 0)
    say(
      'In the curl lines $URL is the address of a product, and $ADMIN, $DEVELOPER, $CANDIDATE are tokens of its users.',
    );
  // If all requests are rejected, the test proves little.
  const hollow = results.filter(
    ({ operation, cases: run, unreached }) => run >= 100 && unreached.length > 0 && !(operation in successNeeds),
  );
  process.exitCode = failed.length > 0 || hollow.length > 0 || results.length === 0 ? 1 : 0;
} finally {
  await stack.stop();
  await providers.close();
  await removeFolder(folder);
}
