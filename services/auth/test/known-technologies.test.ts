import { connectMongo } from '@interview-prep/kit/mongo/mongo';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { createMongoTap, duplicateKeyReply, type MongoTap } from '@interview-prep/kit/testing/mongo-tap';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, test } from 'vitest';
import { type KnownTechnologies, knownTechnologies } from '../src/users/known-technologies.ts';

let backing: TestBacking;
let tap: MongoTap;
let mongo: Connection;
let technologies: KnownTechnologies;
beforeAll(async () => {
  backing = await createTestBacking('auth');
  tap = await createMongoTap(backing.settings.MONGODB_URI);
  mongo = await connectMongo({ ...backing.settings, MONGODB_URI: tap.uri }, 'auth', backing.log);
  technologies = knownTechnologies(mongo);
});
afterAll(async () => {
  await mongo.close();
  tap.close();
  await backing.close();
});

test('of two concurrent first snapshots the newer one is kept', async () => {
  await technologies.apply({ slugs: ['go'], revision: 1 });
  // MongoDB's upsert first queries and then inserts: the newer one finds nothing and collides with the older one.
  tap.answer((command) => command.update === 'known_technologies', duplicateKeyReply);
  await technologies.apply({ slugs: ['go', 'sql'], revision: 2 });
  await technologies.require(['sql']);
});

test('an older snapshot changes nothing', async () => {
  await technologies.apply({ slugs: ['go', 'sql', 'rust'], revision: 3 });
  await technologies.apply({ slugs: ['go'], revision: 2 });
  await technologies.require(['rust']);
});
