import { dropIndex, renameField } from '@interview-prep/kit/mongo/migration-steps';
import type { Migration } from '@interview-prep/kit/mongo/migrations';

/** The indexes of release 0.1.0 on the renamed fields. */
const oldIndexes: readonly { collection: string; key: Record<string, 1 | -1> }[] = [
  { collection: 'sessions', key: { listedAs: 1, createdAt: -1, _id: -1 } },
  { collection: 'sessions', key: { listedAs: 1, technology: 1, createdAt: -1, _id: -1 } },
  { collection: 'sessions', key: { listedAs: 1, userId: 1, createdAt: -1, _id: -1 } },
  { collection: 'sessions', key: { listedAs: 1, userId: 1, technology: 1, createdAt: -1, _id: -1 } },
  { collection: 'totals', key: { listedAs: 1, userId: 1 } },
];

/** `listedAs` becomes `listKind`, `totalled` becomes `inTotals`. */
export const renameListFields: Migration = {
  name: '0001-rename-list-fields',
  async up(database) {
    // Drop the indexes first: updates are cheaper without them.
    for (const index of oldIndexes) await dropIndex(database, index);
    await renameField(database, { collection: 'sessions', from: 'listedAs', to: 'listKind' });
    await renameField(database, { collection: 'sessions', from: 'totalled', to: 'inTotals' });
    await renameField(database, { collection: 'totals', from: 'listedAs', to: 'listKind' });
  },
};
