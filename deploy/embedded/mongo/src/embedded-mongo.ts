import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Account, Accounts } from './authentication/accounts.ts';
import { decode, TYPES } from './bson/values.ts';
import { runCommand } from './commands/run-command.ts';
import { errorReply } from './commands/write-errors.ts';
import { Cursors } from './cursors.ts';
import type { Engine } from './engine.ts';
import { mongoError } from './errors.ts';
import { Catalog } from './storage/catalog.ts';
import type { Collection, Index, KeyRange } from './storage/collection.ts';
import { Database } from './storage/database.ts';
import { encodeField, encodeTuple } from './storage/index-keys.ts';
import { messageLength, OPCODES, type Request, readMessage } from './wire/message.ts';
import { writeReply } from './wire/reply.ts';

/** Responds to one request with an encoded message. Never throws: an error is a reply with `ok: 0`. */
type Answer = (request: Request, connectionId: number, responseId: number) => Buffer;

/** The server's parts that a connection uses. */
interface ConnectionOptions {
  connectionId: number;
  answer: Answer;
  log: (line: string) => void;
}

/** Removes documents that a TTL index has expired. Returns their number. */
function expireDocuments(catalog: Catalog, now: Date): number {
  let removed = 0;
  for (const collection of catalog.list()) {
    for (const index of collection.indexes) {
      if (index.expireAfterSeconds !== undefined) removed += expireBy(catalog, collection, index, now);
    }
  }
  return removed;
}

/** Only dates expire. An array expires by its earliest date. */
function expireBy(catalog: Catalog, collection: Collection, index: Index, now: Date): number {
  const deadline = new Date(now.getTime() - index.expireAfterSeconds! * 1000);
  const rows = new Set<number>();
  for (const entry of collection.entries(index, datesUntil(deadline, index), 1)) rows.add(entry.rid);
  if (rows.size === 0) return 0;
  catalog.database.transaction(() => {
    for (const rid of rows) collection.remove(rid, decode(collection.fetch(rid)!));
  });
  return rows.size;
}

function datesUntil(deadline: Date, index: Index): KeyRange {
  const until = encodeTuple([deadline], index.fields);
  const isAscending = index.fields[0]![1] === 1;
  const firstDate = Buffer.from([TYPES.date.order]);
  const afterDates = Buffer.from([(~TYPES.date.order & 0xff) + 1]);
  return isAscending
    ? { from: firstDate, to: Buffer.concat([until, Buffer.from([0xff])]) }
    : { from: encodeField(deadline, -1), to: afterDates };
}

const GREETINGS = ['hello', 'isMaster', 'ismaster'];

/** Runs a request and encodes its reply. A reply that is too large becomes an error. */
function answerRequest(engine: Engine, request: Request, connectionId: number, responseId: number): Buffer {
  const [name = ''] = Object.keys(request.command);
  const isAllowed = request.opcode === OPCODES.message || GREETINGS.includes(name);
  const reply = isAllowed ? runCommand(engine, request.command, connectionId) : errorReply(legacyCommand(name));
  try {
    return writeReply(request, responseId, reply);
  } catch (error) {
    return writeReply(request, responseId, errorReply(error));
  }
}

const legacyCommand = (name: string): Error =>
  mongoError(
    'UnsupportedOpQueryCommand',
    `Unsupported OP_QUERY command: ${name}. The client driver may require an upgrade.`,
  );

/** Options for starting the server. */
export interface EmbeddedMongoOptions {
  /** 0 for a free port. */
  port: number;
  /** Default 127.0.0.1. There is no TLS, so it should stay on loopback. */
  host?: string;
  /** The folder of the data file. It is created if missing. */
  dataDir: string;
  /** The accounts for SCRAM-SHA-256. If absent, no authentication is required. */
  accounts?: readonly Account[];
  /** The interval between TTL checks. Default 5000. */
  expiryIntervalMs?: number;
  /** Receives connection failures and internal errors. */
  log?: (line: string) => void;
}

/** A running server. */
export interface EmbeddedMongo {
  port: number;
  /** `mongodb://host:port`, without a database. */
  uri: string;
  /** Closes all connections and the data file. */
  close: () => Promise<void>;
}

/**
 * Starts a server on one data directory.
 * @throws {DataFileError} if the data file is unusable; listen's own errors if the port is
 */
export async function startEmbeddedMongo(options: EmbeddedMongoOptions): Promise<EmbeddedMongo> {
  const { port, host = '127.0.0.1', dataDir, expiryIntervalMs = 5000, log = () => {} } = options;
  const accounts = new Accounts(options.accounts ?? []);
  const database = new Database(dataDir);
  const catalog = new Catalog(database);
  const engine: Engine = { catalog, cursors: new Cursors(), accounts, commandCounts: new Map(), log };
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

/**
 * Serves one client: splits the bytes into messages, responds to each in order, and applies backpressure while the client
 * doesn't read its responses. Invalid bytes end only this connection.
 */
function serveConnection(socket: Socket, { connectionId, answer, log }: ConnectionOptions): void {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let nextResponseId = 1;

  const handle = (bytes: Buffer): void => {
    const request = readMessage(bytes);
    const reply = answer(request, connectionId, nextResponseId++);
    if (!request.wantsReply || socket.destroyed) return;
    const flushed = socket.write(reply);
    if (!flushed) socket.pause();
  };

  /** Joins chunks only when a message is complete, so that a large message is copied once. */
  const drainMessages = (): void => {
    while (!socket.destroyed && !socket.isPaused()) {
      if (pending.length > 1 && pending[0]!.length < 4) pending = [Buffer.concat(pending)];
      const length = pending[0] && messageLength(pending[0]);
      if (length === undefined || pendingBytes < length) return;
      const joined = pending.length === 1 ? pending[0]! : Buffer.concat(pending);
      pending = joined.length > length ? [joined.subarray(length)] : [];
      pendingBytes -= length;
      handle(joined.subarray(0, length));
    }
  };

  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      log(`connection ${connectionId} closed: ${error instanceof Error ? error.message : String(error)}`);
      socket.destroy();
    }
  };

  socket.setNoDelay(true);
  socket.on('data', (chunk) => {
    pending.push(chunk);
    pendingBytes += chunk.length;
    guarded(drainMessages);
  });
  socket.on('drain', () => {
    socket.resume();
    guarded(drainMessages);
  });
  socket.on('error', (error) => log(`connection ${connectionId}: ${error.message}`));
}
