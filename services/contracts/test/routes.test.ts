import { describe, expect, test } from 'vitest';
import { allRoutes } from '../src/api/routes.ts';

test('no two routes have the same method and path', () => {
  const calls = allRoutes.map(([, { method, path }]) => `${method} ${path.replace(/:\w+/g, ':')}`);
  expect(new Set(calls).size).toBe(calls.length);
});

describe.each(allRoutes)('%s', (_name, route) => {
  test('is below /api', () => {
    expect(route.path).toMatch(/^\/api\/[\w./:-]+$/);
  });

  test('returns 204 if and only if it has no result', () => {
    expect(route.status === 204).toBe(route.result === null && route.streams === undefined);
  });

  test('validates each path parameter', () => {
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
    for (const name of names) {
      const others = Object.fromEntries(names.filter((one) => one !== name).map((one) => [one, 'x']));
      for (const bad of [undefined, { $ne: '' }, 'x'.repeat(10_000)]) {
        expect(route.params.safeParse({ ...others, [name]: bad }).success).toBe(false);
      }
    }
  });
});
