import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const sources = globSync('{services/*,gateway}/src/**/*.ts', { cwd: root }).sort();
const webSources = globSync('web/src/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !/\.test\.tsx?$|^web\/src\/test\//.test(file))
  .sort();

/** Names that every service gives to the same part of itself. */
const conventions = {
  exports: ['createApp', 'readSettings', 'consumeEvents', 'migrations'],
  files: [
    'main.ts',
    'app.ts',
    'config.ts',
    'model.ts',
    'routes.ts',
    'consume-events.ts',
    'migrate.ts',
    'migrations.ts',
  ],
};

/** Names with more than one place, but for those in `allowed`. */
function repeated(places: Iterable<readonly [name: string, place: string]>, allowed: readonly string[]) {
  const byName = new Map<string, Set<string>>();
  for (const [name, place] of places) byName.set(name, (byName.get(name) ?? new Set()).add(place));
  return [...byName].filter(([name, at]) => at.size > 1 && !allowed.includes(name)).map(([name, at]) => [name, ...at]);
}

/** The names that a file exports; a type and a value of one name are one. */
function exportsOf(source: string): string[] {
  const declarations =
    /^export (?:default |abstract |async |declare )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
  return [...source.matchAll(declarations)].flatMap(([, name]) => name ?? []);
}

const allExports = (files: readonly string[]) =>
  files.flatMap((file) => exportsOf(readFileSync(join(root, file), 'utf8')).map((name) => [name, file] as const));

test('no two source files of the services and the gateway export the same name', () => {
  expect(sources.length).toBeGreaterThan(100);
  const exports = allExports(sources);
  expect(exports.length).toBeGreaterThan(300);
  expect(repeated(exports, conventions.exports)).toEqual([]);
});

test('no two source files of the web app export the same name', () => {
  expect(webSources.length).toBeGreaterThan(300);
  const exports = allExports(webSources);
  expect(exports.length).toBeGreaterThan(500);
  expect(repeated(exports, [])).toEqual([]);
});

test('no two files of the services and the gateway share a name, but for the parts that every service has', () => {
  const files = sources.map((file) => [basename(file), file] as const);
  expect(repeated(files, conventions.files)).toEqual([]);
});

test('a repeated name is found', () => {
  const first = exportsOf('export async function findSet() {}\nexport type Found = 1;');
  const second = exportsOf('export const findSet = 1;');
  const places = [...first.map((name) => [name, 'a.ts'] as const), ...second.map((name) => [name, 'b.ts'] as const)];
  expect(repeated(places, [])).toEqual([['findSet', 'a.ts', 'b.ts']]);
});
