import { setTimeout as pause } from 'node:timers/promises';
import type { TechnologiesSnapshot } from '@interview-prep/contracts/events/snapshots';
import { badRequest } from '@interview-prep/kit/http/http-error';
import { upsertById } from '@interview-prep/kit/mongo/mongo';
import { type Connection, Schema, trusted } from 'mongoose';

/** How long to wait for an unknown slug: its technology may have been added a moment ago. */
const waitMs = 2000;
const pollMs = 100;

/** The one document that holds auth's copy of the slugs. */
const copyId = 'technologies';

interface TechnologiesCopy extends TechnologiesSnapshot {
  _id: string;
}

const schema = new Schema<TechnologiesCopy>(
  {
    _id: { type: String, required: true },
    slugs: { type: [String], required: true },
    revision: { type: Number, required: true },
  },
  { collection: 'known_technologies' },
);

/** auth's copy of the technology slugs that catalog publishes. */
export interface KnownTechnologies {
  /** Stores a snapshot unless a newer one is stored. */
  apply(snapshot: TechnologiesSnapshot): Promise<void>;
  /** Whether catalog has published anything yet. */
  hasCopy(): Promise<boolean>;
  /** Waits up to 2 s for unknown slugs. @throws HttpError 400 listing those still unknown */
  require(slugs: readonly string[]): Promise<void>;
}

export function knownTechnologies(connection: Connection): KnownTechnologies {
  const model = connection.model<TechnologiesCopy>('KnownTechnologies', schema);

  const unknownOf = async (slugs: readonly string[]) => {
    const known = new Set((await model.findById(copyId).lean())?.slugs);
    return slugs.flatMap((slug, index) => (known.has(slug) ? [] : [{ slug, index }]));
  };

  return {
    async apply({ slugs, revision }) {
      const older = { _id: copyId, revision: trusted({ $lt: revision }) };
      await upsertById(() => model.updateOne(older, { $set: { slugs, revision } }, { upsert: true }));
    },
    hasCopy: async () => (await model.exists({ _id: copyId })) !== null,
    async require(slugs) {
      const deadline = Date.now() + waitMs;
      for (;;) {
        const unknown = await unknownOf(slugs);
        if (unknown.length === 0) return;
        if (Date.now() >= deadline) {
          const details = unknown.map(({ index }) => ({
            path: `technologies.${index}`,
            message: 'This technology is not known',
          }));
          throw badRequest('This technology is not known', details);
        }
        await pause(pollMs);
      }
    },
  };
}
