import type { Migration } from '@interview-prep/kit/mongo/migrations';

/** Sets from before there were drafts are published. */
export const publishSets: Migration = {
  name: '0002-publish-sets',
  async up(database) {
    await database.collection('sets').updateMany({ status: { $exists: false } }, { $set: { status: 'published' } });
  },
};
