import { allRoutes } from '@interview-prep/contracts/api/routes';

/** Vite's `define` for `src/lib/api/route-request.ts`: method, path and body format of each route, without its schemas. */
export const routeTable = {
  routeTable: JSON.stringify(
    Object.fromEntries(
      allRoutes.map(([name, { method, path, accepts }]) => [name, [method.toUpperCase(), path, accepts]]),
    ),
  ),
};
