import type { TokenClaims } from '@interview-prep/contracts/users';

/** Whose sessions may be seen by whom. `own`: one's own, and all by an admin. `all`: all by everyone signed in. */
export type Visibility = 'own' | 'all';

/** The filter for the sessions that `viewer` may see; empty for all. */
export const visibleTo = (viewer: TokenClaims, visibility: Visibility): { userId?: string } =>
  viewer.role === 'admin' || visibility === 'all' ? {} : { userId: viewer.sub };
