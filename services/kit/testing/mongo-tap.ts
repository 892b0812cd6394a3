import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import mongoose from 'mongoose';
import { closeTogether } from './close-together.ts';

export type Command = mongoose.mongo.BSON.Document;

/** A proxy in front of MongoDB that records each command, and can hold one back while others overtake it. */
export interface MongoTap {
  /** The server's URI with the tap's address in it. */
  uri: string;
  commands: readonly Command[];
  /** Holds the next command that matches until `release` is called. `reached` resolves once it is held. */
  hold(matches: (command: Command) => boolean): { reached: Promise<void>; release: () => void };
  /** Answers the next command that matches in the server's place; the server never sees it. */
  answer(matches: (command: Command) => boolean, reply: Command): void;
  close(): void;
}

interface Hold {
  matches: (command: Command) => boolean;
  reach: () => void;
  released: Promise<void>;
}

export async function createMongoTap(uri: string): Promise<MongoTap> {
  const target = new URL(uri);
  const commands: Command[] = [];
  const holds: Hold[] = [];
  const answers: { matches: Hold['matches']; reply: Command }[] = [];
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port || 27017), target.hostname);
    closeTogether(near, far, open);
    let unread: Buffer = Buffer.alloc(0);
    let passed = Promise.resolve();
    near.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk]);
      while (unread.length >= headerBytes && unread.length >= unread.readInt32LE(0)) {
        const message = unread.subarray(0, unread.readInt32LE(0));
        unread = unread.subarray(message.length);
        const command = commandOf(message);
        if (command) commands.push(command);
        const answered = command ? answers.findIndex(({ matches }) => matches(command)) : -1;
        const answer = answered < 0 ? undefined : answers.splice(answered, 1)[0];
        if (answer) {
          passed = passed.then(() => void near.write(replyTo(message, answer.reply)));
          continue;
        }
        const at = command ? holds.findIndex(({ matches }) => matches(command)) : -1;
        const hold = at < 0 ? undefined : holds.splice(at, 1)[0];
        hold?.reach();
        passed = passed.then(() => hold?.released).then(() => void far.write(message));
      }
    });
    far.pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const own = new URL(uri);
  own.hostname = '127.0.0.1';
  own.port = String((server.address() as AddressInfo).port);
  return {
    uri: own.toString(),
    commands,
    hold(matches) {
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      holds.push({ matches, reach: reached.resolve, released: released.promise });
      return { reached: reached.promise, release: released.resolve };
    },
    answer(matches, reply) {
      answers.push({ matches, reply });
    },
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

export const headerBytes = 16;
const opMsg = 2013;

/**
 * The command of an OP_MSG: the document of its section 0, with the document sequences of its sections 1 under their names.
 * Source: MongoDB's wire protocol.
 */
export function commandOf(message: Buffer): Command | undefined {
  if (message.readInt32LE(12) !== opMsg) return undefined;
  const command: Command = {};
  for (let at = headerBytes + 4; at < message.length; ) {
    const isSequence = message[at] === 1;
    const section = message.subarray(at + 1, at + 1 + message.readInt32LE(at + 1));
    at += 1 + section.length;
    if (isSequence) {
      const name = section.toString('utf8', 4, section.indexOf(0, 4));
      command[name] = documentsOf(section.subarray(4 + name.length + 1));
    } else Object.assign(command, documentsOf(section)[0]);
  }
  return command;
}

function documentsOf(bytes: Buffer): Command[] {
  const documents: Command[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at)) {
    documents.push(mongoose.mongo.BSON.deserialize(bytes.subarray(at, at + bytes.readInt32LE(at))));
  }
  return documents;
}

/** An OP_MSG that answers another. */
export function replyTo(message: Buffer, reply: Command): Buffer {
  const document = mongoose.mongo.BSON.serialize(reply);
  const head = Buffer.alloc(headerBytes + 5);
  head.writeInt32LE(head.length + document.length, 0);
  head.writeInt32LE(message.readInt32LE(4), 8);
  head.writeInt32LE(opMsg, 12);
  return Buffer.concat([head, document]);
}

/** What a server answers to an upsert that has lost a race: a write error with the duplicate key's code. */
export const duplicateKeyReply: Command = {
  ok: 1,
  n: 0,
  nModified: 0,
  writeErrors: [{ index: 0, code: 11_000, errmsg: 'E11000 duplicate key error', keyPattern: { _id: 1 }, keyValue: {} }],
};
