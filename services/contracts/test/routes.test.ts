import { describe, expect, test } from 'vitest';
import { allRoutes } from '../src/api/routes.ts';

test('no two routes share a method and a path', () => {
  const calls = allRoutes.map(([, { method, path }]) => `${method} ${path.replace(/:\w+/g, ':')}`);
  expect(new Set(calls).size).toBe(calls.length);
});

describe.each(allRoutes)('%s', (_name, route) => {
  test('lies under /api', () => {
    expect(route.path).toMatch(/^\/api\/[\w./:-]+$/);
  });

  test('answers 204 exactly if it has no result', () => {
    expect(route.status === 204).toBe(route.result === null && route.streams === undefined);
  });

  test('checks each parameter of its path', () => {
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
    for (const name of names) {
      const others = Object.fromEntries(names.filter((one) => one !== name).map((one) => [one, 'x']));
      for (const bad of [undefined, { $ne: '' }, 'x'.repeat(10_000)]) {
        expect(route.params.safeParse({ ...others, [name]: bad }).success).toBe(false);
      }
    }
  });
});
