import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { type EmbeddedMongo, startEmbeddedMongo } from '../src/embedded-mongo.ts';

/** The driver bundled with mongoose. */
export const { MongoClient } = mongoose.mongo;

export interface AnyDoc {
  // biome-ignore lint/suspicious/noExplicitAny: test documents are of every shape
  _id?: any;
  // biome-ignore lint/suspicious/noExplicitAny: test documents are of every shape
  [field: string]: any;
}

/** A server for one test file, with a client of the real driver. */
export interface TestServer {
  server: EmbeddedMongo;
  client: InstanceType<typeof MongoClient>;
  /** Creates a new collection on each call. */
  fresh: (documents?: AnyDoc[]) => Promise<ReturnType<TestServer['collection']>>;
  collection: (name: string) => ReturnType<typeof collectionOf>;
  stop: () => Promise<void>;
}

/** Lets a collection accept documents, filters and updates of every shape. */
// biome-ignore lint/suspicious/noExplicitAny: that is its purpose
export type Loose = any;

const collectionOf = (client: InstanceType<typeof MongoClient>, name: string) =>
  client.db('test').collection<Loose>(name);

export async function startTestServer(
  options: { expiryIntervalMs?: number; promoteValues?: boolean } = {},
): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
  const { promoteValues = true, ...serverOptions } = options;
  const server = await startEmbeddedMongo({ port: 0, dataDir, ...serverOptions });
  const client = await new MongoClient(server.uri, { promoteValues }).connect();
  const collection = (name: string) => collectionOf(client, name);
  let count = 0;
  return {
    server,
    client,
    collection,
    fresh: async (documents = []) => {
      const made = collection(`c${++count}`);
      if (documents.length > 0) await made.insertMany(documents);
      return made;
    },
    stop: async () => {
      await client.close();
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The error of a promise that must reject, with the server's code and name. */
export async function failure(promise: Promise<unknown>): Promise<AnyDoc> {
  try {
    await promise;
  } catch (error) {
    return error as AnyDoc;
  }
  throw new Error('It should have failed');
}
