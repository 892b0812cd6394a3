import type { Migration } from '@interview-prep/kit/migrations';

/**
 * Every change that the database's layout has seen, oldest first. None yet: a change of the projection rebuilds it instead
 * (`projection/rebuild.ts`).
 */
export const migrations: readonly Migration[] = [];
