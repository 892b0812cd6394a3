import type { Migration } from '@interview-prep/kit/mongo/migrations';

/** Marks sets from before drafts existed as published. */
export const publishSets: Migration = {
  name: '0002-publish-sets',
  async up(database) {
    await database.collection('sets').updateMany({ status: { $exists: false } }, { $set: { status: 'published' } });
  },
};
