import type { Route } from '@interview-prep/contracts/api/route';
import { allRoutes } from '@interview-prep/contracts/api/routes';
import { HttpError } from '@interview-prep/kit/http/http-error';
import type { RequestHandler } from 'express';
import { upstreamOf } from './proxy-table.ts';

/** `/api/users/:id` as a regular expression. Like Express, it ignores a trailing slash. */
const patternOf = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`);

/** `/api` and the next segment, which is never a parameter. */
const prefixOf = (path: string) => path.split('/', 3).join('/');

/** Grouped by prefix, since it is searched on every request. */
const known = Map.groupBy(
  allRoutes.map(([, route]) => ({ pattern: patternOf(route.path), route })),
  ({ route }) => prefixOf(route.path),
);

/** Methods that every path supports, in addition to those of its routes. */
const generalMethods = ['OPTIONS'];

const methodsOf = ({ method }: Route): string[] => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]);

/** The routes that match a path; none for an unknown path. Only routes of the service that the path is proxied to count. */
function routesAt(path: string): Route[] {
  const service = upstreamOf(path) ?? 'gateway';
  return (known.get(prefixOf(path)) ?? []).flatMap(({ pattern, route }) =>
    route.service === service && pattern.test(path) ? [route] : [],
  );
}

/** Responds with 405 and Allow if a known path lacks the method. Also records the route for the metrics. */
export const refuseUnknownMethods: RequestHandler = (req, res, next) => {
  const routes = routesAt(req.path);
  const allowed = [...new Set(routes.flatMap(methodsOf))];
  const matching = routes.filter((route) => methodsOf(route).includes(req.method));
  // `/api/users/newest` also matches `/api/users/:id`.
  res.locals.route = (matching.find(({ path }) => path === req.path) ?? matching[0])?.path;
  if (allowed.length === 0 || [...allowed, ...generalMethods].includes(req.method)) return next();
  res.set('Allow', allowed.join(', '));
  // Drain the body, so that the browser reads the response.
  req.resume();
  throw new HttpError(405, 'method_not_allowed', `There is no ${req.method} at this address`);
};
