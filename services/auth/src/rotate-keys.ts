import { parseArgs } from 'node:util';
import { DatabaseTooNew, migrate, RestoreUnfinished } from '@interview-prep/kit/mongo/migrations';
import { connectMongo } from '@interview-prep/kit/mongo/mongo';
import { parseSettings, refuseSettings, UnusableSetting } from '@interview-prep/kit/process/config';
import { createLogger } from '@interview-prep/kit/process/logger';
import { migrations } from './migrations/migrations.ts';
import { createSealedSecrets } from './secrets/sealed-secrets.ts';
import { rotateSigningKey, storedKeyModel } from './signing-keys/stored-keys.ts';

/**
 * Creates a new signing key, which the running auth processes pick up. The old key's tokens stay valid until they expire. With
 * `--now` they are all refused immediately, and everyone must sign in again: use it if a key was stolen.
 */
const { values } = parseArgs({ options: { now: { type: 'boolean', default: false } } });
const settings = parseSettings(['MONGODB_URI', 'MONGODB_PREFIX', 'KEY_ENCRYPTION_KEY', 'KEY_ENCRYPTION_KEY_PREVIOUS']);
const log = createLogger('auth', 'warn');

try {
  const connection = await connectMongo(settings, 'auth', log);
  await migrate(connection, migrations, log);
  const secrets = createSealedSecrets(settings.KEY_ENCRYPTION_KEY, settings.KEY_ENCRYPTION_KEY_PREVIOUS);
  const cause = values.now ? 'revocation' : 'command';
  const { kid, signsFrom } = await rotateSigningKey(storedKeyModel(connection), secrets, cause);
  const lti = await rotateSigningKey(storedKeyModel(connection, 'lti'), secrets, cause);
  const effect = values.now
    ? 'All tokens of earlier keys are refused: everyone signs in again.'
    : 'Tokens of the old key stay valid until they expire.';
  process.stdout.write(
    `The new signing key ${kid} signs from ${signsFrom.toISOString()} on.\n${effect}\nThe new key for learning platforms is ${lti.kid}.\n`,
  );
  await connection.close();
} catch (error) {
  if (error instanceof UnusableSetting) refuseSettings([`${error.setting}: ${error.message}`]);
  if (!(error instanceof DatabaseTooNew || error instanceof RestoreUnfinished)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
