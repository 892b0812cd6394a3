import { reviewRoutes, type Snippet, snippetsMax } from '@interview-prep/contracts/recording/reviews';
import { conflict, notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { Types, trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { StoredSnippets } from './snippet-model.ts';

function present(stored: StoredSnippets | null): { snippets: Snippet[] } {
  return { snippets: (stored?.snippets ?? []).map(({ _id, name, text }) => ({ id: _id.toHexString(), name, text })) };
}

export function serveSnippets(server: RouteServer, { reviewSnippets }: RecordingModels): void {
  const after = { returnDocument: 'after' } as const;

  server.serve(reviewRoutes.listSnippets, async ({ user }) => present(await reviewSnippets.findById(user.sub).lean()));

  server.serve(reviewRoutes.addSnippet, async ({ body, user }) => {
    const hasRoom = { _id: user.sub, [`snippets.${snippetsMax - 1}`]: trusted({ $exists: false }) };
    const $push = { snippets: { _id: new Types.ObjectId(), ...body } };
    const add = () => reviewSnippets.findOneAndUpdate(hasRoom, { $push }, { ...after, upsert: true }).lean();
    // A concurrent request may create the document first: the retry then finds it.
    const stored = await add()
      .catch(add)
      .catch((error: unknown) => {
        if (isDuplicateKey(error)) throw conflict(`You already have ${snippetsMax} snippets`);
        throw error;
      });
    return present(stored);
  });

  server.serve(reviewRoutes.updateSnippet, async ({ params, body: { name, text }, user }) => {
    const id = new Types.ObjectId(params.id);
    const kept = await reviewSnippets.findById(user.sub).lean();
    const at = kept?.snippets.findIndex(({ _id }) => _id.equals(id)) ?? -1;
    if (at < 0) throw notFound('Snippet not found');
    // Match both index and id, so that a snippet that has moved in the meantime isn't overwritten.
    const its = { _id: user.sub, [`snippets.${at}._id`]: id };
    const $set = { [`snippets.${at}.name`]: name, [`snippets.${at}.text`]: text };
    const stored = await reviewSnippets.findOneAndUpdate(its, { $set }, after).lean();
    if (!stored) throw notFound('Snippet not found');
    return present(stored);
  });

  server.serve(reviewRoutes.deleteSnippet, async ({ params: { id }, user }) => {
    const $pull = { snippets: { _id: new Types.ObjectId(id) } };
    const stored = await reviewSnippets
      .findOneAndUpdate({ _id: user.sub, 'snippets._id': id }, { $pull }, after)
      .lean();
    if (!stored) throw notFound('Snippet not found');
    return present(stored);
  });
}
