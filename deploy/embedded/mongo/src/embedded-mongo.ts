import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { answerRequest } from './answer-request.ts';
import { type Account, Accounts } from './authentication/accounts.ts';
import { Cursors } from './cursors.ts';
import type { Engine } from './engine.ts';
import { expireDocuments } from './expire-documents.ts';
import { Catalog } from './storage/catalog.ts';
import { Database } from './storage/database.ts';
import { serveConnection } from './wire/connection.ts';

/** How the server is started. */
export interface EmbeddedMongoOptions {
  /** 0 for a free port. */
  port: number;
  /** Default 127.0.0.1. There is no TLS, so it should stay on loopback. */
  host?: string;
  /** The folder of the data file. It is created if missing. */
  dataDir: string;
  /** Who may sign in, with SCRAM-SHA-256. Without any, nobody needs to. */
  accounts?: readonly Account[];
  /** How often TTL indexes are checked. Default 5000. */
  expiryIntervalMs?: number;
  /** Receives broken connections and internal errors. */
  log?: (line: string) => void;
}

/** A running server. */
export interface EmbeddedMongo {
  port: number;
  /** `mongodb://host:port`, without a database. */
  uri: string;
  /** Ends all connections and closes the data file. */
  close: () => Promise<void>;
}

/**
 * Starts a server on one data directory.
 * @throws {DataFileError} if the data file cannot be used; listen's own errors if the port cannot
 */
export async function startEmbeddedMongo(options: EmbeddedMongoOptions): Promise<EmbeddedMongo> {
  const { port, host = '127.0.0.1', dataDir, expiryIntervalMs = 5000, log = () => {} } = options;
  const accounts = new Accounts(options.accounts ?? []);
  const database = new Database(dataDir);
  const catalog = new Catalog(database);
  const engine: Engine = { catalog, cursors: new Cursors(), accounts, startedAt: new Date(), log };
  const sockets = new Set<Socket>();
  let lastConnectionId = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    const connectionId = ++lastConnectionId;
    socket.once('close', () => {
      sockets.delete(socket);
      accounts.forget(connectionId);
    });
    serveConnection(socket, { connectionId, answer: answerRequest.bind(null, engine), log });
  });
  try {
    await listen(server, port, host);
  } catch (error) {
    await database.close();
    throw error;
  }
  const expiry = setInterval(() => expire(engine), expiryIntervalMs);
  expiry.unref();
  const address = server.address() as AddressInfo;
  const shownHost = host.includes(':') ? `[${host}]` : host;
  return {
    port: address.port,
    uri: `mongodb://${shownHost}:${address.port}`,
    close: async () => {
      clearInterval(expiry);
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      await database.close();
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

function expire(engine: Engine): void {
  try {
    expireDocuments(engine.catalog, new Date());
  } catch (error) {
    engine.catalog.reload();
    engine.log(`expiry failed: ${error instanceof Error ? error.message : String(error)}`);
  }
  engine.cursors.expire(Date.now());
}
