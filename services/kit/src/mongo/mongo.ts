import type { EventEmitter } from 'node:events';
import mongoose, { type Connection } from 'mongoose';
import { UnusableSetting } from '../process/config.ts';
import type { Logger } from '../process/logger.ts';
import { tlsFault } from '../process/tls-files.ts';
import { isDuplicateKey } from './mongo-errors.ts';

/** The driver emits one of these when a check of a server starts or ends. */
const heartbeatEvents = ['serverHeartbeatStarted', 'serverHeartbeatSucceeded', 'serverHeartbeatFailed'] as const;

/** Checks run every 4 s and take up to 3 s. Counts ticks, not seconds, so that a suspended laptop causes no false alarm. */
const silentTicksMax = 6;

/**
 * Detects a MongoDB driver that has stopped monitoring its server. After a restart or failover of MongoDB it can hang forever: if
 * the connection closes during a write, it awaits a 'drain' event that never comes, and every later operation fails.
 * @param onSilence called once, after about 30 s without a check
 * @returns a function that stops watching
 */
export function watchHeartbeats(client: EventEmitter, onSilence: () => void, everyMs = 5000): () => void {
  let silentTicks = 0;
  const onHeartbeat = () => {
    silentTicks = 0;
  };
  for (const event of heartbeatEvents) client.on(event, onHeartbeat);
  const stop = () => {
    clearInterval(timer);
    for (const event of heartbeatEvents) client.off(event, onHeartbeat);
  };
  const timer = setInterval(() => {
    silentTicks += 1;
    if (silentTicks < silentTicksMax) return;
    stop();
    onSilence();
  }, everyMs);
  timer.unref();
  return stop;
}

mongoose.set('strictQuery', true);
mongoose.set('sanitizeFilter', true);

/**
 * Writes are acknowledged once they are in the journal. By default a standalone server acknowledges them from memory, and
 * loses the last 100 ms when it is killed.
 */
const durable = { w: 'majority', journal: true } as const;

/**
 * Separate heartbeats detect a hung server within 7 s of its last response. Then every operation that waits for it fails,
 * or looks for another server first if it is retryable. So an operation on a hung server fails within 9.5 s. Operations
 * themselves have no time limit: building an index may take minutes.
 */
const hangDetection = { heartbeatFrequencyMS: 4000, connectTimeoutMS: 3000, serverSelectionTimeoutMS: 2500 } as const;

/**
 * Connects to one database. Waits indefinitely for the server; later, operations fail within 9.5 s if it is down.
 * @param settings `MONGODB_URI` is the server's address, `MONGODB_PREFIX` the prefix of the database's name
 * @throws UnusableSetting if waiting won't help: a wrong password, option or certificate
 */
export async function connectMongo(
  settings: { MONGODB_URI: string; MONGODB_PREFIX: string },
  database: string,
  log: Logger,
): Promise<Connection> {
  for (;;) {
    try {
      const connection = await mongoose
        .createConnection(settings.MONGODB_URI, {
          dbName: `${settings.MONGODB_PREFIX}${database}`,
          ...hangDetection,
          autoIndex: false,
          // Otherwise Mongoose buffers operations for 10 s while it is disconnected.
          bufferCommands: false,
          writeConcern: durable,
        })
        .asPromise();
      await connection.collection('migrations').findOne({});
      const stopWatching = watchHeartbeats(connection.getClient(), () => {
        // Let the supervisor restart the process: nothing inside it can revive the driver.
        log.fatal({ database }, 'the MongoDB driver has stopped checking its server; this process ends');
        process.exit(1);
      });
      connection.once('close', stopWatching);
      return connection;
    } catch (error) {
      const fault = uriFault(error);
      if (fault) throw new UnusableSetting('MONGODB_URI', fault, error);
      log.warn({ err: error }, 'MongoDB is not available yet');
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

const { mongo } = mongoose;

/** The codes AuthenticationFailed, Unauthorized and AtlasError (a wrong password, on Atlas). */
const signInCodes = new Set<unknown>([18, 13, 8000]);

/** The fault in `MONGODB_URI` that an error reveals; null for a transient error. */
function uriFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof mongo.MongoParseError || error instanceof mongo.MongoInvalidArgumentError) return error.message;
  if (error instanceof mongo.MongoServerError && signInCodes.has(error.code)) {
    return `the server does not let this user in: ${error.message}`;
  }
  const { reason } = error as { reason?: unknown };
  const servers = reason instanceof mongo.TopologyDescription ? [...reason.servers.values()] : [];
  return [error, ...servers.map((server) => server.error)].map(tlsFault).find((fault) => fault !== null) ?? null;
}

/** Builds the indexes of all the connection's models. Call it once at start. */
export async function buildIndexes(connection: Connection): Promise<void> {
  for (const model of Object.values(connection.models)) await model.createIndexes();
}

/**
 * Runs an upsert whose filter names an `_id`. It can collide with a concurrent first insert, since MongoDB's upsert first
 * queries and then inserts (SERVER-16261): then it is repeated. If the filter matches only older documents, it can also
 * collide with a newer one: then there is nothing to write.
 * @returns the upsert's result; undefined if nothing was written
 */
export async function upsertById<Result>(upsert: () => PromiseLike<Result>): Promise<Result | undefined> {
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      return await upsert();
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  // The document existed on the second try, so it is newer.
  return undefined;
}
