import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { closeTogether } from './close-together.ts';
import { type Command, commandOf, duplicateKeyReply, headerBytes, replyTo } from './mongo-tap.ts';

/** What a replica set does to its clients at times, and the embedded server never: see `createMongoFaults`. */
export type MongoFault = 'stepping down' | 'racing upserts' | 'lost replies';

/** What becomes of one write: refused, or done and followed by an error or by no reply. */
export interface WriteFault {
  name: string;
  isDone: boolean;
  /** Fields of the reply, in turns; null where the connection breaks instead. */
  replies: readonly (Command | null)[];
}

/** What becomes of one write that fails. */
interface Failure {
  isDone: boolean;
  reply: Command | null;
}

/** A proxy in front of MongoDB that reads its messages. */
export interface MongoFaults {
  /** The server's URI with the proxy's address in it. */
  uri: string;
  begin(fault: MongoFault): void;
  end(): void;
  /** Fails one write from now: the next one for `index` 0. @returns tells whether it came, and cancels it otherwise */
  failWrite(index: number, fault: WriteFault): () => boolean;
  close(): void;
}

/** What a primary answers that steps down, or is shut down. Source: MongoDB's server discovery specification. */
const stepDownReplies: readonly Command[] = [
  { ok: 0, code: 10_107, codeName: 'NotWritablePrimary', errmsg: 'not primary' },
  { ok: 0, code: 11_602, codeName: 'InterruptedDueToReplStateChange', errmsg: 'operation was interrupted' },
  { ok: 0, code: 91, codeName: 'ShutdownInProgress', errmsg: 'the server is shutting down' },
  { ok: 0, code: 11_600, codeName: 'InterruptedAtShutdown', errmsg: 'interrupted at shutdown' },
];

/** Every way in which one write can fail. */
export const writeFaults: readonly WriteFault[] = [
  { name: 'a refusal of a primary that steps down', isDone: false, replies: stepDownReplies },
  { name: 'a reply that is lost after the write', isDone: true, replies: [null] },
  {
    name: 'an error after the write',
    isDone: true,
    replies: [{ writeConcernError: { code: 189, codeName: 'PrimarySteppedDown', errmsg: 'stepped down' } }],
  },
];

const writes = ['insert', 'update', 'delete', 'findAndModify'];
const isWrite = (command: Command) => writes.some((name) => name in command);

/** How long a first upsert waits for another of the same document. */
const raceMs = 60;
/** The share of the writes whose reply is lost. */
const lostShare = 0.2;

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
 * @param random 0 (inclusive) to 1 (exclusive); chooses the codes and the replies that are lost
 */
export async function createMongoFaults(uri: string, random: () => number = Math.random): Promise<MongoFaults> {
  const target = new URL(uri);
  const open = new Set<Socket>();
  const waiting = new Map<string, { timer: NodeJS.Timeout; lose: () => void; pass: () => void }>();
  let fault: MongoFault | undefined;
  let planned: { index: number; fault: WriteFault } | undefined;

  let failures = 0;
  const replyOf = ({ replies }: WriteFault) => replies[failures++ % replies.length] ?? null;
  /** What becomes of a write; undefined where nothing does. */
  const failureOf = (): Failure | undefined => {
    if (planned) {
      planned.index -= 1;
      if (planned.index >= 0) return undefined;
      const { isDone } = planned.fault;
      const reply = replyOf(planned.fault);
      planned = undefined;
      return { isDone, reply };
    }
    if (fault === 'stepping down') {
      return { isDone: false, reply: stepDownReplies[Math.floor(random() * stepDownReplies.length)] ?? null };
    }
    if (fault === 'lost replies' && random() < lostShare) return { isDone: true, reply: null };
    return undefined;
  };

  const server = createServer((near) => {
    const far = connect(Number(target.port || 27_017), target.hostname);
    closeTogether(near, far, open);
    /** Called with the reply to a request, in the place of passing it on. */
    const onReply = new Map<number, (reply: Buffer) => void>();

    /** Lets an upsert race with the next one of the same document. */
    const race = (message: Buffer, key: string) => {
      const first = waiting.get(key);
      if (first) {
        waiting.delete(key);
        clearTimeout(first.timer);
        onReply.set(requestIdOf(message), (reply) => {
          near.write(reply);
          // Only where this one inserts could the first one have lost.
          if ('upserted' in (commandOf(reply) ?? {})) first.lose();
          else first.pass();
        });
        far.write(message);
        return;
      }
      const timer = setTimeout(() => {
        waiting.delete(key);
        far.write(message);
      }, raceMs);
      waiting.set(key, {
        timer,
        lose: () => near.write(replyTo(message, duplicateKeyReply)),
        pass: () => far.write(message),
      });
    };

    const fail = (message: Buffer, { isDone, reply }: Failure) => {
      if (!isDone && reply) {
        near.write(replyTo(message, reply));
        return;
      }
      onReply.set(requestIdOf(message), (done) => {
        if (reply) near.write(replyTo(message, { ...commandOf(done), ...reply }));
        else near.destroy();
      });
      far.write(message);
    };

    readMessages(near, (message) => {
      const command = fault || planned ? commandOf(message) : undefined;
      if (!command || !isWrite(command)) {
        far.write(message);
        return;
      }
      const key = fault === 'racing upserts' ? upsertKey(command) : undefined;
      const failure = failureOf();
      if (failure) fail(message, failure);
      else if (key) race(message, key);
      else far.write(message);
    });
    readMessages(far, (message) => {
      const listener = onReply.get(responseToOf(message));
      onReply.delete(responseToOf(message));
      if (listener) listener(message);
      else near.write(message);
    });
  });
  server.listen(0, '127.0.0.1');
  server.unref();
  await once(server, 'listening');
  const own = new URL(uri);
  own.hostname = '127.0.0.1';
  own.port = String((server.address() as AddressInfo).port);
  return {
    uri: own.toString(),
    begin: (begun) => {
      fault = begun;
    },
    end: () => {
      fault = undefined;
    },
    failWrite(index, of) {
      const plan = { index, fault: of };
      planned = plan;
      return () => {
        if (planned !== plan) return true;
        planned = undefined;
        return false;
      };
    },
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
