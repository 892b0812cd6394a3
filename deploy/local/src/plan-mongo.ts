import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackingOptions, type BackingPlan, chooseServer, embeddedServer, LOOPBACK } from './backing-plan.ts';
import { childEnvironment } from './child-environment.ts';
import { mongoAccounts, ownMongoUri } from './mongo-accounts.ts';
import { answersMongo } from './readiness.ts';

/** MongoDB: at MONGODB_URI, else `mongod`, else the embedded one. */
export async function planMongo({ dataDir, secrets, env, ports }: BackingOptions): Promise<BackingPlan> {
  if (env.MONGODB_URI) return { settings: { MONGODB_URI: env.MONGODB_URI } };
  const port = ports.mongo;
  const isReady = () => answersMongo(port);
  const [ownFolder, serverFolder] = [join(dataDir, 'mongo'), join(dataDir, 'mongod')];
  const mongod = chooseServer({ name: 'mongod', ownFolder, serverFolder, given: 'MONGODB_URI to a MongoDB' });
  if (!mongod && !existsSync(embeddedServer('mongo'))) return { settings: {} };
  const folder = mongod ? serverFolder : ownFolder;
  await mkdir(folder, { recursive: true });
  const address = ['--port', String(port)];
  const [command, args] = mongod
    ? [mongod, [...address, '--bind_ip', LOOPBACK, '--dbpath', folder]]
    : [process.execPath, [embeddedServer('mongo'), ...address, '--host', LOOPBACK, '--data', folder]];
  // A mongod on the PATH has no accounts.
  const MONGODB_URI = mongod ? `mongodb://${LOOPBACK}:${port}` : ownMongoUri(secrets, `${LOOPBACK}:${port}`);
  const accounts = mongod ? undefined : JSON.stringify(mongoAccounts(secrets, env.MONGODB_PREFIX ?? ''));
  return {
    settings: { MONGODB_URI },
    process: {
      name: 'mongo',
      title: mongod ? `MongoDB (${mongod})` : 'MongoDB, embedded',
      command,
      args,
      env: childEnvironment({ MONGO_ACCOUNTS: accounts }),
      isReady,
      isAnswering: isReady,
    },
  };
}
