import type { Migration } from '@interview-prep/kit/mongo/migrations';
import { renameListFields } from './0001-rename-list-fields.ts';

/**
 * All migrations of the database, oldest first. Never edit, rename or remove a released one. A change
 * to the projection's contents rebuilds it instead (`projection/rebuild.ts`).
 */
export const migrations: readonly Migration[] = [renameListFields];
