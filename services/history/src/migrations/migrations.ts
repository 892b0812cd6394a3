import type { Migration } from '@interview-prep/kit/mongo/migrations';
import { renameListFields } from './0001-rename-list-fields.ts';

/**
 * Every change that the database's layout has seen, oldest first. A released one is never edited, renamed or removed. A change
 * of what the projection contains rebuilds it instead (`projection/rebuild.ts`).
 */
export const migrations: readonly Migration[] = [renameListFields];
