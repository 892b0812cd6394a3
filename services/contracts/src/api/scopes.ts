import { z } from 'zod';

/** Scopes of API keys. A key never grants more than its owner's own rights. */
export const ApiScope = z.enum(['results:read', 'members:manage', 'sets:manage']);
export type ApiScope = z.infer<typeof ApiScope>;

/** Human-readable descriptions of the scopes. */
export const scopeNames: Readonly<Record<ApiScope, string>> = {
  'results:read': 'Read results',
  'members:manage': 'Manage groups and their members',
  'sets:manage': 'Manage technologies, sets and assignments',
};
