import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { closeTogether } from '@interview-prep/kit/testing/close-together';
import {
  type Command,
  commandOf,
  duplicateKeyReply,
  headerBytes,
  replyTo,
} from '@interview-prep/kit/testing/mongo-tap';
import type { Random } from '../random.ts';

/** What a replica set does to its clients at times, and the embedded server never: see `createMongoFaults`. */
export type MongoFault = 'stepping down' | 'racing upserts' | 'lost replies';

/** A proxy in front of MongoDB that reads its messages. */
export interface MongoFaults {
  /** The server's URI with the proxy's address in it. */
  uri: string;
  begin(fault: MongoFault): void;
  end(): void;
}

/** What a primary answers that steps down, or is shut down. Source: MongoDB's server discovery specification. */
const STEP_DOWN_REPLIES: readonly Command[] = [
  { ok: 0, code: 10_107, codeName: 'NotWritablePrimary', errmsg: 'not primary' },
  { ok: 0, code: 11_602, codeName: 'InterruptedDueToReplStateChange', errmsg: 'operation was interrupted' },
  { ok: 0, code: 91, codeName: 'ShutdownInProgress', errmsg: 'the server is shutting down' },
  { ok: 0, code: 11_600, codeName: 'InterruptedAtShutdown', errmsg: 'interrupted at shutdown' },
];

const WRITES = ['insert', 'update', 'delete', 'findAndModify'];
const isWrite = (command: Command) => WRITES.some((name) => name in command);

/** How long a first upsert waits for another of the same document. */
const RACE_MS = 60;
/** The share of the writes whose reply is lost. */
const LOST_SHARE = 0.2;

/** Splits a stream into messages of MongoDB's wire protocol. */
function readMessages(socket: Socket, onMessage: (message: Buffer) => void): void {
  let unread: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    while (unread.length >= headerBytes && unread.length >= unread.readInt32LE(0)) {
      const message = unread.subarray(0, unread.readInt32LE(0));
      unread = unread.subarray(message.length);
      onMessage(message);
    }
  });
}

const requestIdOf = (message: Buffer) => message.readInt32LE(4);
const responseToOf = (message: Buffer) => message.readInt32LE(8);

/** The document that an upsert by `_id` writes; undefined for every other command. */
function upsertKey(command: Command): string | undefined {
  const update = command.updates?.[0];
  if (!update?.upsert || update.q?._id === undefined) return undefined;
  return `${command.$db}.${command.update} ${String(update.q._id)}`;
}

/**
 * Starts the proxy.
 * - `stepping down`: writes are refused with the codes of a primary that steps down.
 * - `racing upserts`: of two upserts that both insert the same document, the first to arrive gets E11000, as on a server
 *   where looking and inserting are not one step (SERVER-16261).
 * - `lost replies`: some writes are done, and the connection breaks before the reply.
 */
export async function createMongoFaults(uri: string, random: Random): Promise<MongoFaults> {
  const target = new URL(uri);
  const open = new Set<Socket>();
  const waiting = new Map<string, { timer: NodeJS.Timeout; lose: () => void; pass: () => void }>();
  let fault: MongoFault | undefined;

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    closeTogether(near, far, open);
    const lost = new Set<number>();
    /** Called with the reply to a request. */
    const onReply = new Map<number, (reply: Command) => void>();

    /** Lets an upsert race with the next one of the same document. */
    const race = (message: Buffer, key: string) => {
      const first = waiting.get(key);
      if (first) {
        waiting.delete(key);
        clearTimeout(first.timer);
        // Only where this one inserts could the first one have lost.
        onReply.set(requestIdOf(message), (reply) => ('upserted' in reply ? first.lose() : first.pass()));
        far.write(message);
        return;
      }
      const timer = setTimeout(() => {
        waiting.delete(key);
        far.write(message);
      }, RACE_MS);
      waiting.set(key, {
        timer,
        lose: () => near.write(replyTo(message, duplicateKeyReply)),
        pass: () => far.write(message),
      });
    };

    readMessages(near, (message) => {
      const command = fault && commandOf(message);
      if (!command || !isWrite(command)) {
        far.write(message);
        return;
      }
      const key = fault === 'racing upserts' ? upsertKey(command) : undefined;
      if (fault === 'stepping down') near.write(replyTo(message, random.pick(STEP_DOWN_REPLIES)));
      else if (key) race(message, key);
      else {
        if (fault === 'lost replies' && random.next() < LOST_SHARE) lost.add(requestIdOf(message));
        far.write(message);
      }
    });
    readMessages(far, (message) => {
      const request = responseToOf(message);
      if (lost.delete(request)) {
        near.destroy();
        return;
      }
      near.write(message);
      const listener = onReply.get(request);
      if (!listener) return;
      onReply.delete(request);
      listener(commandOf(message) ?? {});
    });
  });
  server.listen(0, '127.0.0.1');
  server.unref();
  await once(server, 'listening');
  const own = new URL(uri);
  own.port = String((server.address() as AddressInfo).port);
  return {
    uri: own.toString(),
    begin: (begun) => {
      fault = begun;
    },
    end: () => {
      fault = undefined;
    },
  };
}
