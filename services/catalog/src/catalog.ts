import { setOptionsOf } from '@interview-prep/contracts/catalog/sets';
import type { TechnologiesSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { Logger } from '@interview-prep/kit/process/logger';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { bumpRevision, createOutbox, type Outbox } from '@interview-prep/kit/redis/outbox';
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { type SetDocument, type SetModel, type SetRecord, setModel } from './sets/model.ts';
import {
  type TechnologyDocument,
  type TechnologyModel,
  type TechnologyRecord,
  technologyModel,
  technologyNames,
} from './technologies/model.ts';

/**
 * The slugs of all technologies. The snapshot's revision is the sum of their revisions, including deleted ones, so every
 * change increases it.
 */
async function technologiesSnapshot(model: TechnologyModel): Promise<TechnologiesSnapshot> {
  const all = await model.find({}, 'slug deletedAt revision').lean();
  return {
    slugs: all.filter((one) => one.deletedAt === null).map((one) => one.slug),
    revision: all.reduce((sum, one) => sum + one.revision, 0),
  };
}

/** Publishes the slugs to auth, and marks the technology's sets for republishing, since they carry its name. */
async function publishTechnology(
  technology: TechnologyDocument,
  deps: { technologies: TechnologyModel; sets: SetModel; jobs: JobProducer },
): Promise<void> {
  await deps.sets.updateMany({ technologySlug: technology.slug, deletedAt: null }, bumpRevision, { timestamps: false });
  await deps.jobs.add('auth', 'technologies-changed', await technologiesSnapshot(deps.technologies));
}

/** The catalog's collections, and the outboxes that publish their changes. */
export interface Catalog {
  technologies: TechnologyModel;
  sets: SetModel;
  technologyOutbox: Outbox<TechnologyRecord>;
  setOutbox: Outbox<SetRecord>;
  stop(): Promise<void>;
}

/** Catalog's connections and its outbox options. */
export interface CatalogConnections {
  mongo: Connection;
  redis: Redis;
  /** Prefix of all Redis keys. */
  prefix: string;
  jobs: JobProducer;
  log: Logger;
  /** Interval between outbox sweeps; defaults to the outbox's own. */
  sweepMs?: number;
}

/** Opens the collections and starts their outboxes. Build the indexes before the first write. */
export function openCatalog({ mongo, jobs, ...outboxOptions }: CatalogConnections): Catalog {
  const technologies = technologyModel(mongo);
  const sets = setModel(mongo);
  const technologyOutbox = createOutbox<TechnologyRecord>({
    name: 'technologies',
    model: technologies,
    emit: (technology) => publishTechnology(technology, { technologies, sets, jobs }),
    ...outboxOptions,
  });
  const setOutbox = createOutbox<SetRecord>({
    name: 'sets',
    model: sets,
    emit: (set) => publishSet(set, { technologies, jobs }),
    ...outboxOptions,
  });
  return {
    technologies,
    sets,
    technologyOutbox,
    setOutbox,
    async stop() {
      await Promise.all([technologyOutbox.stop(), setOutbox.stop()]);
    },
  };
}

/** Publishes a whole set, or its deletion, to recording. */
async function publishSet(set: SetDocument, deps: { technologies: TechnologyModel; jobs: JobProducer }): Promise<void> {
  const names = await technologyNames(deps.technologies);
  await deps.jobs.add('recording', 'set-changed', {
    setId: set._id.toHexString(),
    kind: set.kind,
    title: set.title,
    technology: names(set.technologySlug),
    technologySlug: set.technologySlug,
    questions: [...set.questions],
    expertAnswers: [...set.answers],
    expertPoints: set.toObject().expertPoints,
    ...setOptionsOf(set.toObject()),
    updatedAt: set.updatedAt.toISOString(),
    deletedAt: (set.deletedAt ?? set.closedAt)?.toISOString() ?? null,
    revision: set.revision,
  });
}
