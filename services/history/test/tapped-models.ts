import { buildIndexes, connectMongo } from '@interview-prep/kit/mongo/mongo';
import { createTestBacking } from '@interview-prep/kit/testing/backing';
import { createMongoTap } from '@interview-prep/kit/testing/mongo-tap';
import { historyModels } from '../src/projection/model.ts';

/** History's models on a connection whose commands the test can read, hold and answer. */
export async function openTappedModels() {
  const backing = await createTestBacking('history');
  const tap = await createMongoTap(backing.settings.MONGODB_URI);
  const mongo = await connectMongo({ ...backing.settings, MONGODB_URI: tap.uri }, 'history', backing.log);
  const models = historyModels(mongo);
  await buildIndexes(mongo);
  return {
    tap,
    models,
    async close() {
      await mongo.close();
      tap.close();
      await backing.close();
    },
  };
}

export type TappedModels = Awaited<ReturnType<typeof openTappedModels>>;
