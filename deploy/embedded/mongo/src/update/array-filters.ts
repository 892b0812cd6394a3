import { type Doc, isDoc } from '../bson/values.ts';
import { mongoError } from '../errors.ts';
import { type FilterContext, parseFilter } from '../query/parse-filter.ts';
import type { ElementTests } from './targets.ts';

/**
 * Reads `arrayFilters`. A filter's identifier is the first part of all its paths.
 * @throws {CommandError} TypeMismatch, FailedToParse or BadValue for an invalid filter
 */
export function readArrayFilters(given: unknown, context: FilterContext): ElementTests {
  const tests = new Map<string, (element: unknown) => boolean>();
  if (given === undefined) return tests;
  if (!Array.isArray(given))
    throw mongoError(
      'TypeMismatch',
      "BSON field 'update.updates.arrayFilters' is the wrong type, expected type 'array'",
    );
  for (const filter of given as unknown[]) {
    if (!isDoc(filter)) throw mongoError('TypeMismatch', 'Each array filter must be an object');
    const names = new Set(identifiersIn(filter));
    const [name] = names;
    if (!name)
      throw mongoError('FailedToParse', 'Cannot use an expression without a top-level field name in arrayFilters');
    if (names.size > 1) {
      throw mongoError(
        'FailedToParse',
        `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${[...names].join("' and '")}'`,
      );
    }
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) {
      throw mongoError(
        'BadValue',
        `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`,
      );
    }
    if (tests.has(name))
      throw mongoError('FailedToParse', `Found multiple array filters with the same top-level field name ${name}`);
    const parsed = parseFilter(filter, context);
    tests.set(name, (element) => parsed.test({ [name]: element }));
  }
  return tests;
}

function identifiersIn(filter: Doc): string[] {
  return Object.entries(filter).flatMap(([key, value]) => {
    if (!key.startsWith('$')) return [key.split('.')[0]!];
    return Array.isArray(value) ? value.flatMap((item: unknown) => (isDoc(item) ? identifiersIn(item) : [])) : [];
  });
}
