import { renameCollection, renameField } from '@interview-prep/kit/mongo/migration-steps';
import type { Migration } from '@interview-prep/kit/mongo/migrations';

/** `claims` becomes `leaseVersion`, `away` becomes `outage`, `formerSets` becomes `setRevisions`. */
export const renameLeasesAndOutages: Migration = {
  name: '0001-rename-leases-and-outages',
  async up(database) {
    await renameField(database, { collection: 'recordings', from: 'claims', to: 'leaseVersion' });
    await renameField(database, { collection: 'recordings', from: 'away', to: 'outage' });
    await renameCollection(database, { from: 'formerSets', to: 'setRevisions' });
  },
};
