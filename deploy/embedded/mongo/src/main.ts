import { parseArgs } from 'node:util';
import type { Account } from './authentication/accounts.ts';
import { type EmbeddedMongo, startEmbeddedMongo } from './embedded-mongo.ts';

const USAGE = 'usage: embedded-mongo --port N --data DIR [--host H]';

function readArguments(): { port: number; dataDir: string; host: string } {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, data: { type: 'string' }, host: { type: 'string', default: '127.0.0.1' } },
  });
  const port = Number(values.port);
  if (values.port === undefined || values.data === undefined) throw new Error(`--port and --data are needed; ${USAGE}`);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port ${values.port} is not a port; ${USAGE}`);
  return { port, dataDir: values.data, host: values.host };
}

/** The accounts. In the environment, since process arguments are visible to every user of the machine. */
function readAccounts(): Account[] {
  return JSON.parse(process.env.MONGO_ACCOUNTS || '[]') as Account[];
}

async function start(): Promise<EmbeddedMongo> {
  const log = (line: string): void => console.error(line);
  const server = await startEmbeddedMongo({ ...readArguments(), accounts: readAccounts(), log });
  console.log(JSON.stringify({ message: 'embedded-mongo is listening', port: server.port, uri: server.uri }));
  return server;
}

function fail(error: unknown): never {
  console.error(`embedded-mongo: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

try {
  const server = await start();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close().then(() => process.exit(0), fail);
    });
  }
} catch (error) {
  fail(error);
}
