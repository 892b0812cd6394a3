import type { Route } from '@interview-prep/contracts/api/route';
import { allRoutes } from '@interview-prep/contracts/api/routes';
import { HttpError } from '@interview-prep/kit/http/http-error';
import type { RequestHandler } from 'express';
import { upstreamOf } from './proxy-table.ts';

/** `/api/users/:id` as a pattern. Like Express it ignores a slash at the end. */
const patternOf = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`);

/** `/api` and the word after it, which no path has as a parameter. */
const prefixOf = (path: string) => path.split('/', 3).join('/');

/** Asked for every request, so the routes that may match are few. */
const known = Map.groupBy(
  allRoutes.map(([, route]) => ({ pattern: patternOf(route.path), route })),
  ({ route }) => prefixOf(route.path),
);

/** Methods that every path answers, in addition to those of its routes. */
const generalMethods = ['OPTIONS'];

const methodsOf = ({ method }: Route): string[] => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]);

/** The routes of a path; none for an unknown path. Only the service that gets the path's requests counts. */
function routesAt(path: string): Route[] {
  const service = upstreamOf(path) ?? 'gateway';
  return (known.get(prefixOf(path)) ?? []).flatMap(({ pattern, route }) =>
    route.service === service && pattern.test(path) ? [route] : [],
  );
}

/** Answers 405 with Allow where a known path has no such method. For the metrics it notes the route. */
export const refuseUnknownMethods: RequestHandler = (req, res, next) => {
  const routes = routesAt(req.path);
  const allowed = [...new Set(routes.flatMap(methodsOf))];
  const matching = routes.filter((route) => methodsOf(route).includes(req.method));
  // `/api/users/newest` is also an `/api/users/:id`.
  res.locals.route = (matching.find(({ path }) => path === req.path) ?? matching[0])?.path;
  if (allowed.length === 0 || [...allowed, ...generalMethods].includes(req.method)) return next();
  res.set('Allow', allowed.join(', '));
  // The rest of a body is read and dropped, so that a browser reads the answer.
  req.resume();
  throw new HttpError(405, 'method_not_allowed', `There is no ${req.method} at this address`);
};
