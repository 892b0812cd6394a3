import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Loose, MongoClient } from './test-server.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let dataDir: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  await rm(dataDir, { recursive: true, force: true });
});

function run(args: string[]): ChildProcess {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

async function start(): Promise<{ child: ChildProcess; uri: string }> {
  const child = run(['--port', '0', '--data', dataDir]);
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { child, uri: (JSON.parse(line) as { uri: string }).uri };
}

async function end(child: ChildProcess): Promise<{ code: number | null; errors: string }> {
  let errors = '';
  child.stderr!.on('data', (chunk) => {
    errors += String(chunk);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, errors };
}

describe('a killed server', () => {
  it('loses no write that it acknowledged, and opens again', async () => {
    const { child, uri } = await start();
    const client = await new MongoClient(uri, { serverSelectionTimeoutMS: 500 }).connect();
    const collection = client.db('test').collection<Loose>('writes');
    await collection.createIndex({ worker: 1, n: -1 });
    const acknowledged = { inserted: [] as string[], increments: 0 };
    await collection.insertOne({ _id: 'counter', n: 0 });
    const insertUntilDeath = async (worker: number): Promise<void> => {
      for (let n = 0; n < 1000; n++) {
        await collection.insertOne({ _id: `${worker}-${n}`, worker, n });
        acknowledged.inserted.push(`${worker}-${n}`);
        await collection.updateOne({ _id: 'counter' }, { $inc: { n: 1 } });
        acknowledged.increments++;
        if (acknowledged.increments === 1000) child.kill('SIGKILL');
      }
    };
    const outcomes = await Promise.allSettled([0, 1, 2, 3].map(insertUntilDeath));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    await client.close();

    const again = await start();
    const reader = await new MongoClient(again.uri).connect();
    const found = reader.db('test').collection<Loose>('writes');
    const ids = new Set((await found.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id));
    expect(acknowledged.inserted.filter((id) => !ids.has(id))).toEqual([]);
    expect(acknowledged.increments).toBeGreaterThanOrEqual(1000);
    const counter = await found.findOne({ _id: 'counter' });
    expect(counter!.n).toBeGreaterThanOrEqual(acknowledged.increments);
    for (let worker = 0; worker < 4; worker++) {
      const byIndex = await found.countDocuments({ worker });
      expect(byIndex).toBe((await found.find({ $or: [{ worker }, { unindexed: 1 }] }).toArray()).length);
    }
    await reader.close();
  });
});

describe('the command line', () => {
  it('closes cleanly on SIGTERM and finds everything again', async () => {
    const first = await start();
    const client = await new MongoClient(first.uri).connect();
    const collection = client.db('test').collection<Loose>('kept');
    await collection.createIndex({ a: 1 }, { unique: true });
    await collection.insertMany([{ a: 1 }, { a: [2, 3] }]);
    const ended = end(first.child);
    first.child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    await client.close();
    expect(await readdir(dataDir)).toEqual(['mongo.sqlite']);

    const second = await start();
    const reader = await new MongoClient(second.uri).connect();
    const kept = reader.db('test').collection<Loose>('kept');
    expect(await kept.countDocuments({ a: { $gte: 2 } })).toBe(1);
    expect((await kept.indexes()).map(({ name }) => name)).toEqual(['_id_', 'a_1']);
    await expect(kept.insertOne({ a: 3 })).rejects.toMatchObject({ code: 11000 });
    await reader.close();
  });

  it('reports a broken data file in one sentence', async () => {
    await writeFile(
      join(dataDir, 'mongo.sqlite'),
      'this is no database, but it is long enough to be read as one '.repeat(100),
    );
    const { code, errors } = await end(run(['--port', '0', '--data', dataDir]));
    expect(code).toBe(1);
    expect(errors.trim()).toMatch(/^embedded-mongo: The data file \S+mongo\.sqlite cannot be used: [^\n]+\.$/);
  });

  it('also reports a truncated data file in one sentence', async () => {
    const { child, uri } = await start();
    const client = await new MongoClient(uri).connect();
    await client
      .db('test')
      .collection('big')
      .insertMany(Array.from({ length: 500 }, () => ({ text: 'x'.repeat(1000) })));
    const ended = end(child);
    child.kill('SIGTERM');
    await ended;
    await client.close();
    await truncate(join(dataDir, 'mongo.sqlite'), 200_000);
    const { code, errors } = await end(run(['--port', '0', '--data', dataDir]));
    expect(code).toBe(1);
    expect(errors.trim().split('\n')).toHaveLength(1);
  });

  it('refuses a data directory that is in use', async () => {
    await start();
    const { code, errors } = await end(run(['--port', '0', '--data', dataDir]));
    expect(code).toBe(1);
    expect(errors).toContain('database is locked');
  });

  it('lists its required arguments', async () => {
    const { code, errors } = await end(run(['--port', '0']));
    expect(code).toBe(1);
    expect(errors).toContain('usage: embedded-mongo --port N --data DIR');
  });
});
