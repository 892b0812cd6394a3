import { setOptionsOf } from '@interview-prep/contracts/catalog/sets';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { type TechnologyModel, technologyNames } from '../technologies/model.ts';
import type { SetDocument } from './model.ts';

/** Publishes a whole set, or its deletion, to recording. */
export async function publishSet(
  set: SetDocument,
  deps: { technologies: TechnologyModel; jobs: JobProducer },
): Promise<void> {
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
