import { expect, onTestFinished, test } from 'vitest';
import { connectMongo } from '../src/mongo/mongo.ts';
import { createTestBacking } from '../testing/backing.ts';
import { resolveLocally, serveSrv } from '../testing/local-names.ts';

test('mongodb+srv finds the servers through DNS records', async () => {
  const backing = await createTestBacking('kit');
  onTestFinished(() => backing.close());
  onTestFinished(resolveLocally());
  const address = new URL(backing.settings.MONGODB_URI);
  onTestFinished(await serveSrv({ name: 'first.prep.localhost', port: Number(address.port) }));
  address.host = 'cluster.prep.localhost';
  address.port = '';
  const MONGODB_URI = `${address.href.replace('mongodb:', 'mongodb+srv:')}/?tls=false`;
  const connection = await connectMongo({ ...backing.settings, MONGODB_URI }, 'kit', backing.log);
  onTestFinished(() => connection.close());
  await connection.collection<{ _id: string }>('notes').insertOne({ _id: 'by SRV' });
  expect(await backing.mongo.collection<{ _id: string }>('notes').countDocuments()).toBe(1);
});
