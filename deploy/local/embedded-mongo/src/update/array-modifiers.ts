import { compareValues, equalValues } from '../bson/compare.ts';
import { typeOf } from '../bson/types.ts';
import { copyValue, type Doc, isDoc, isNumber, toBsonRegExp, toNumber } from '../bson/values.ts';
import { mongoError } from '../errors.ts';
import { elementTest, isOperators } from '../query/parse-filter.ts';
import { equals } from '../query/predicates.ts';
import { readSort, sortBy } from '../query/sort.ts';
import { type MakeModifier, type ModifierDefinition, readEach, type Target } from './modifiers.ts';

function requireArray(old: unknown, { path, id }: Target, name: string): unknown[] {
  if (Array.isArray(old)) return old;
  if (name === '$push') {
    throw mongoError(
      'BadValue',
      `The field '${path}' must be an array but is of type ${typeOf(old).alias} in document {_id: ${String(id)}}`,
    );
  }
  throw mongoError(
    name === '$pop' ? 'TypeMismatch' : 'BadValue',
    `Cannot apply ${name} to a non-array value: the field '${path}' is of type ${typeOf(old).alias}`,
  );
}

function wholeOption(options: Doc, name: string): number | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  if (!Number.isInteger(number)) throw mongoError('BadValue', `The value for ${name} must be an integer value`);
  return number;
}

const push: MakeModifier = (operand, _path, context) => {
  const { items, options } = readEach(operand, '$push', ['$slice', '$sort', '$position']);
  const slice = wholeOption(options, '$slice');
  const position = wholeOption(options, '$position');
  const sort = options.$sort === undefined ? undefined : readPushSort(options.$sort, context.compareStrings);
  return (old, target) => {
    const array = old === undefined ? [] : [...requireArray(old, target, '$push')];
    array.splice(position ?? array.length, 0, ...items.map(copyValue));
    const sorted = sort ? sort(array) : array;
    if (slice === undefined) return sorted;
    return slice < 0 ? sorted.slice(slice) : sorted.slice(0, slice);
  };
};

type CompareStrings = Parameters<typeof compareValues>[2];

/** Whole elements by 1 or -1, or documents by their fields. */
function readPushSort(given: unknown, compareStrings: CompareStrings): (array: unknown[]) => unknown[] {
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

const addToSet: MakeModifier = (operand, _path, { compareStrings }) => {
  const { items } = readEach(operand, '$addToSet', []);
  return (old, target) => {
    const array = old === undefined ? [] : [...requireArray(old, target, '$addToSet')];
    for (const item of items) {
      if (!array.some((existing) => equalValues(existing, item, compareStrings))) array.push(copyValue(item));
    }
    return array;
  };
};

const pop: MakeModifier = (operand, path) => {
  const end = isNumber(operand) ? toNumber(operand) : 0;
  if (Math.abs(end) !== 1)
    throw mongoError('FailedToParse', `$pop expects 1 or -1, found: ${String(operand)} for '${path}'`);
  return (old, target) => {
    if (old === undefined) return old;
    const array = requireArray(old, target, '$pop');
    return end === 1 ? array.slice(0, -1) : array.slice(1);
  };
};

/** Elements go that match: a query on their fields, operators on themselves, or equality. */
const pull: MakeModifier = (operand, _path, context) => {
  const isQuery = isDoc(operand) || toBsonRegExp(operand) !== undefined;
  const regExp = toBsonRegExp(operand);
  const matches = regExp
    ? elementTest({ $in: [regExp] }, context)
    : isQuery
      ? pullTest(operand as Doc, context)
      : equals(operand, context);
  return (old, target) => {
    if (old === undefined) return old;
    return requireArray(old, target, '$pull').filter((item) => !matches(item));
  };
};

function pullTest(operand: Doc, context: Parameters<typeof elementTest>[1]): (item: unknown) => boolean {
  const test = elementTest(operand, context);
  return isOperators(operand) ? test : (item) => isDoc(item) && test(item);
}

const pullAll: MakeModifier = (operand, path, { compareStrings }) => {
  if (!Array.isArray(operand))
    throw mongoError(
      'BadValue',
      `$pullAll requires an array argument but was given a ${typeOf(operand).alias} for '${path}'`,
    );
  return (old, target) => {
    if (old === undefined) return old;
    return requireArray(old, target, '$pullAll').filter(
      (item) => !operand.some((gone) => equalValues(item, gone, compareStrings)),
    );
  };
};

/** Modifiers of arrays. */
export const ARRAY_MODIFIERS: Record<string, ModifierDefinition> = {
  $push: { make: push, createsPath: true },
  $addToSet: { make: addToSet, createsPath: true },
  $pop: { make: pop, createsPath: false },
  $pull: { make: pull, createsPath: false },
  $pullAll: { make: pullAll, createsPath: false },
};
