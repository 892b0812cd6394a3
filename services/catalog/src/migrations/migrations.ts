import type { Migration } from '@interview-prep/kit/migrations';

/** Every change that the database's layout has seen, oldest first. A released one is never edited, renamed or removed. */
export const migrations: readonly Migration[] = [];
