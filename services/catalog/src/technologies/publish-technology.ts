import type { TechnologiesSnapshot } from '@interview-prep/contracts/snapshots';
import type { JobProducer } from '@interview-prep/kit/job-queues';
import { bumpRevision } from '@interview-prep/kit/outbox';
import type { SetModel } from '../sets/model.ts';
import type { TechnologyDocument, TechnologyModel } from './model.ts';

/**
 * The slugs there are. Its revision is the sum of all technologies' revisions, those of the deleted included: each change
 * makes one of them larger.
 */
async function technologiesSnapshot(model: TechnologyModel): Promise<TechnologiesSnapshot> {
  const all = await model.find({}, 'slug deletedAt revision').lean();
  return {
    slugs: all.filter((one) => one.deletedAt === null).map((one) => one.slug),
    revision: all.reduce((sum, one) => sum + one.revision, 0),
  };
}

/** Tells auth the slugs; the technology's sets, whose name may have changed with it, are to be told again. */
export async function publishTechnology(
  technology: TechnologyDocument,
  deps: { technologies: TechnologyModel; sets: SetModel; jobs: JobProducer },
): Promise<void> {
  await deps.sets.updateMany({ technologySlug: technology.slug, deletedAt: null }, bumpRevision, { timestamps: false });
  await deps.jobs.add('auth', 'technologies-changed', await technologiesSnapshot(deps.technologies));
}
