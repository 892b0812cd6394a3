import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '@interview-prep/local/data-folder';
import { startStack } from '@interview-prep/local/stack';
import { startIdentityProviders } from '../fuzz/identity-providers.ts';
import { loadAttacks } from './load-attacks.ts';
import { machineAttacks } from './machine-attacks.ts';
import { scoreAttacks } from './score-attacks.ts';
import { forwardedForAttack, signInAttacks } from './sign-in-attacks.ts';
import { type Attack, createWorld } from './world.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** The attacks by topic, in the order in which they run. Names on the command line select some. */
const groups: readonly (readonly [title: string, attacks: readonly Attack[]])[] = [
  ['Who decides about a score', scoreAttacks],
  ['Who can stop the service', loadAttacks],
  ['Who else is on the machine, or on the page', machineAttacks],
  ['Who gets in', [...signInAttacks, forwardedForAttack]],
];
const chosen = process.argv.slice(2).map((word) => word.toLowerCase());
const isChosen = ({ name }: Attack) => chosen.length === 0 || chosen.some((word) => name.toLowerCase().includes(word));

const folder = await mkdtemp(join(tmpdir(), 'interview-prep-attack-'));
const dataDir = join(folder, 'data');
const providers = await startIdentityProviders();
const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = providers.settings;
const stack = await startStack({
  env: {
    ...process.env,
    OIDC_ISSUER,
    OIDC_CLIENT_ID,
    OIDC_CLIENT_SECRET,
    // The users that an attack creates have this role until an admin makes them candidates.
    MFA_REQUIRED_ROLES: 'dev',
    // Allows ten failed sign-ins per address.
    LOGIN_ATTEMPTS: '1',
    LOG_LEVEL: 'error',
    PORT: '0',
    DATA_DIR: dataDir,
    SEED: 'demo',
    SMTP_URL: '',
  },
});
let succeeded = 0;
let tried = 0;
try {
  const world = await createWorld(stack, dataDir);
  for (const [title, attacks] of groups) {
    const some = attacks.filter(isChosen);
    if (some.length > 0) say(`\n  ${title}`);
    for (const attack of some) {
      tried += 1;
      // An attack that couldn't be tried proves nothing, so it counts as a success.
      const result = await attack.run(world).catch((error: unknown) => ({
        succeeded: true,
        answered: `could not be tried: ${error instanceof Error ? error.message : error}`,
      }));
      if (result.succeeded) succeeded += 1;
      say(`  ${result.succeeded ? '✗ succeeded' : '✓ refused  '}  ${attack.name}\n               ${result.answered}`);
    }
  }
  say(`\n  ${tried} attacks, ${succeeded} succeeded`);
  process.exitCode = succeeded > 0 || tried === 0 ? 1 : 0;
} finally {
  await stack.stop();
  await providers.close();
  await removeFolder(folder);
}
