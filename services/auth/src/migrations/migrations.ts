import type { Migration } from '@interview-prep/kit/mongo/migrations';
import { renameDenylistFields } from './0001-rename-denylist-fields.ts';
import { numberSigningKeys } from './0002-number-signing-keys.ts';
import { nameAccountsByIssuer } from './0003-name-accounts-by-issuer.ts';

/** Every change that the database's layout has seen, oldest first. A released one is never edited, renamed or removed. */
export const migrations: readonly Migration[] = [renameDenylistFields, numberSigningKeys, nameAccountsByIssuer];
