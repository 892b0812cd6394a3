import type { Migration } from '@interview-prep/kit/mongo/migrations';
import { deriveExpertPoints } from './0001-derive-expert-points.ts';
import { publishSets } from './0002-publish-sets.ts';

/** All migrations of the database, oldest first. Released ones are never edited, renamed or removed. */
export const migrations: readonly Migration[] = [deriveExpertPoints, publishSets];
