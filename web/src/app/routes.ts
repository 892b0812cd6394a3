import type { ComponentType } from 'react';

/** Who sees a screen. Visitors meet the login screen in place of all but `public`; others than admins are sent home from `admin`. */
export type ScreenAccess = 'public' | 'signed-in' | 'admin';

export interface ScreenRoute {
  path: string;
  access: ScreenAccess;
  /** The tab's title until the screen knows better. */
  title: string;
  /** The label of its button in the navigation bar, if it has one; buttons stand in the order of this table. */
  nav?: string;
  /** Loads the screen: a module whose default export is the component. */
  load: () => Promise<{ default: ComponentType }>;
}

/** Every screen: a new one is a row here and a module in its feature. Source: product specification, section 2. */
export const screenRoutes: readonly ScreenRoute[] = [];
