import { dropIndex, renameCollection, renameField } from '@interview-prep/kit/mongo/migration-steps';
import type { Migration } from '@interview-prep/kit/mongo/migrations';

/** `ended_tokens` becomes `revoked_tokens`, `markPending` becomes `denylistPending`. */
export const renameDenylistFields: Migration = {
  name: '0001-rename-denylist-fields',
  async up(database) {
    await renameCollection(database, { from: 'ended_tokens', to: 'revoked_tokens' });
    for (const collection of ['users', 'revoked_tokens']) {
      await renameField(database, { collection, from: 'markPending', to: 'denylistPending' });
      await dropIndex(database, { collection, key: { markPending: 1 } });
    }
  },
};
