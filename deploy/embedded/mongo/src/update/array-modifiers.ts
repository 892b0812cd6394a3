import { type CompareStrings, compareValues, equalValues } from '../bson/compare.ts';
import { formatValue } from '../bson/format.ts';
import { typeOf } from '../bson/types.ts';
import { copyValue, type Doc, isDoc, isNumber, toBsonRegExp, toNumber } from '../bson/values.ts';
import { mongoError } from '../errors.ts';
import { elementTest, type FilterContext } from '../query/parse-filter.ts';
import { equals } from '../query/predicates.ts';
import { readSort, sortBy } from '../query/sort.ts';
import type { ModifierDefinition, Modify } from './modifiers.ts';

/** Reads the operand of `$push` or `$addToSet`: one item, or `$each` with the options that are allowed beside it. */
function readEach(operand: unknown, name: string, allowed: readonly string[]): { items: unknown[]; options: Doc } {
  if (!isDoc(operand) || !('$each' in operand)) return { items: [operand], options: {} };
  const { $each: items, ...options } = operand;
  if (!Array.isArray(items))
    throw mongoError(
      'TypeMismatch',
      `The argument to $each in ${name} must be an array but it was of type: ${typeOf(items).alias}`,
    );
  const unknown = Object.keys(options).find((key) => !allowed.includes(key));
  if (unknown) throw mongoError('BadValue', `Unrecognized clause in ${name}: ${unknown}`);
  return { items, options };
}

function integerOption(options: Doc, name: string): number | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  if (!Number.isInteger(number)) throw mongoError('BadValue', `The value for ${name} must be an integer value`);
  return number;
}

function push(operand: unknown, path: string, { compareStrings }: FilterContext): Modify {
  const { items, options } = readEach(operand, '$push', ['$slice', '$sort', '$position']);
  const slice = integerOption(options, '$slice');
  const position = integerOption(options, '$position');
  const sort = options.$sort === undefined ? undefined : readPushSort(options.$sort, compareStrings);
  return (old, id) => {
    if (old !== undefined && !Array.isArray(old)) {
      const problem = `The field '${path}' must be an array but is of type ${typeOf(old).alias}`;
      throw mongoError('BadValue', `${problem} in document {_id: ${formatValue(id)}}`);
    }
    const array = [...(old ?? [])];
    array.splice(position ?? array.length, 0, ...items.map(copyValue));
    const sorted = sort ? sort(array) : array;
    if (slice === undefined) return sorted;
    return slice < 0 ? sorted.slice(slice) : sorted.slice(0, slice);
  };
}

/** Sorts whole elements (1 or -1), or documents by their fields. */
function readPushSort(given: unknown, compareStrings: CompareStrings | undefined): (array: unknown[]) => unknown[] {
  if (isNumber(given)) {
    const direction = toNumber(given);
    if (Math.abs(direction) !== 1) throw mongoError('BadValue', 'The $sort element value must be either 1 or -1');
    return (array) => array.sort((a, b) => compareValues(a, b, compareStrings) * direction);
  }
  const fields = readSort(given);
  if (fields.length === 0)
    throw mongoError('BadValue', 'The $sort pattern is empty when it should be a set of fields.');
  return (array) =>
    sortBy(array, fields, (item) => ({ doc: isDoc(item) ? item : {}, sizeBytes: 0 }), { compareStrings });
}

/** A modifier of an existing array. A missing field stays missing unless `createsPath`. */
function changing(
  name: string,
  createsPath: boolean,
  make: (operand: unknown, path: string, context: FilterContext) => (array: unknown[]) => unknown[],
): ModifierDefinition {
  return {
    createsPath,
    make: (operand, path, context) => {
      const change = make(operand, path, context);
      return (old) => {
        if (old === undefined) return createsPath ? change([]) : undefined;
        if (Array.isArray(old)) return change(old);
        throw mongoError(
          name === '$pop' ? 'TypeMismatch' : 'BadValue',
          `Cannot apply ${name} to a non-array value: the field '${path}' is of type ${typeOf(old).alias}`,
        );
      };
    },
  };
}

const addToSet = changing('$addToSet', true, (operand, _path, { compareStrings }) => {
  const { items } = readEach(operand, '$addToSet', []);
  return (array) => {
    const set = [...array];
    for (const item of items) {
      if (!set.some((existing) => equalValues(existing, item, compareStrings))) set.push(copyValue(item));
    }
    return set;
  };
});

const pop = changing('$pop', false, (operand, path) => {
  const end = isNumber(operand) ? toNumber(operand) : 0;
  if (Math.abs(end) !== 1)
    throw mongoError('FailedToParse', `$pop expects 1 or -1, found: ${formatValue(operand)} for '${path}'`);
  return (array) => (end === 1 ? array.slice(0, -1) : array.slice(1));
});

const pull = changing('$pull', false, (operand, _path, context) => {
  const matches = pullTest(operand, context);
  return (array) => array.filter((item) => !matches(item));
});

/** Tests by a regular expression, by operators on the element, by a query on its fields, or by equality. */
function pullTest(operand: unknown, context: FilterContext): (item: unknown) => boolean {
  const regExp = toBsonRegExp(operand);
  if (regExp) return elementTest({ $in: [regExp] }, context);
  return isDoc(operand) ? elementTest(operand, context) : equals(operand, context);
}

const pullAll = changing('$pullAll', false, (operand, path, { compareStrings }) => {
  if (!Array.isArray(operand))
    throw mongoError(
      'BadValue',
      `$pullAll requires an array argument but was given a ${typeOf(operand).alias} for '${path}'`,
    );
  return (array) => array.filter((item) => !operand.some((gone) => equalValues(item, gone, compareStrings)));
});

/** The update operators for arrays. */
export const ARRAY_MODIFIERS: Record<string, ModifierDefinition> = {
  $push: { make: push, createsPath: true },
  $addToSet: addToSet,
  $pop: pop,
  $pull: pull,
  $pullAll: pullAll,
};
