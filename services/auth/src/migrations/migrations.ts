import type { Migration } from '@interview-prep/kit/mongo/migrations';
import { renameDenylistFields } from './0001-rename-denylist-fields.ts';
import { numberSigningKeys } from './0002-number-signing-keys.ts';
import { nameAccountsByIssuer } from './0003-name-accounts-by-issuer.ts';

/** All migrations of the database, oldest first. Never edit, rename or remove a released one. */
export const migrations: readonly Migration[] = [renameDenylistFields, numberSigningKeys, nameAccountsByIssuer];
