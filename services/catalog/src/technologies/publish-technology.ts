import type { TechnologiesSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import type { SetModel } from '../sets/model.ts';
import type { TechnologyDocument, TechnologyModel } from './model.ts';

/**
 * The slugs of all technologies. The snapshot's revision is the sum of their revisions, with those of deleted ones: every
 * change raises it.
 */
async function technologiesSnapshot(model: TechnologyModel): Promise<TechnologiesSnapshot> {
  const all = await model.find({}, 'slug deletedAt revision').lean();
  return {
    slugs: all.filter((one) => one.deletedAt === null).map((one) => one.slug),
    revision: all.reduce((sum, one) => sum + one.revision, 0),
  };
}

/** Publishes the slugs to auth, and has the technology's sets published again: they carry its name. */
export async function publishTechnology(
  technology: TechnologyDocument,
  deps: { technologies: TechnologyModel; sets: SetModel; jobs: JobProducer },
): Promise<void> {
  await deps.sets.updateMany({ technologySlug: technology.slug, deletedAt: null }, bumpRevision, { timestamps: false });
  await deps.jobs.add('auth', 'technologies-changed', await technologiesSnapshot(deps.technologies));
}
