import { z } from 'zod';

/** What an API key may be used for. It never gives more than its owner may do. */
export const ApiScope = z.enum(['results:read', 'members:manage', 'sets:manage']);
export type ApiScope = z.infer<typeof ApiScope>;

/** What each scope is about, for people. */
export const scopeNames: Readonly<Record<ApiScope, string>> = {
  'results:read': 'Read results',
  'members:manage': 'Manage groups and their members',
  'sets:manage': 'Manage technologies, sets and assignments',
};
