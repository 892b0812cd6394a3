import { equalValues } from '../bson/compare.ts';
import { copyValue, type Doc, formatValue, isDoc, isNumber, toBsonRegExp, toNumber, typeOf } from '../bson/values.ts';
import { mongoError } from '../errors.ts';
import { elementTest } from '../query/parse-filter.ts';
import { equals } from '../query/predicates.ts';
import type { ModifierDefinition, Modify } from './modifiers.ts';

/** Parses the operand of `$push` or `$addToSet`: one item, or `$each` with its options. */
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

function push(operand: unknown, path: string): Modify {
  const { items, options } = readEach(operand, '$push', ['$slice']);
  const slice = integerOption(options, '$slice');
  return (old, id) => {
    if (old !== undefined && !Array.isArray(old)) {
      const problem = `The field '${path}' must be an array but is of type ${typeOf(old).alias}`;
      throw mongoError('BadValue', `${problem} in document {_id: ${formatValue(id)}}`);
    }
    const array = [...(old ?? []), ...items.map(copyValue)];
    if (slice === undefined) return array;
    return slice < 0 ? array.slice(slice) : array.slice(0, slice);
  };
}

/** A modifier of an existing array. A missing field stays missing unless `createsPath`. */
function changing(
  name: string,
  createsPath: boolean,
  make: (operand: unknown, path: string) => (array: unknown[]) => unknown[],
): ModifierDefinition {
  return {
    createsPath,
    make: (operand, path) => {
      const change = make(operand, path);
      return (old) => {
        if (old === undefined) return createsPath ? change([]) : undefined;
        if (Array.isArray(old)) return change(old);
        throw mongoError(
          'BadValue',
          `Cannot apply ${name} to a non-array value: the field '${path}' is of type ${typeOf(old).alias}`,
        );
      };
    },
  };
}

const addToSet = changing('$addToSet', true, (operand) => {
  const { items } = readEach(operand, '$addToSet', []);
  return (array) => {
    const set = [...array];
    for (const item of items) {
      if (!set.some((existing) => equalValues(existing, item))) set.push(copyValue(item));
    }
    return set;
  };
});

const pull = changing('$pull', false, (operand) => {
  const matches = pullTest(operand);
  return (array) => array.filter((item) => !matches(item));
});

/** Matches by a regular expression, by operators on the element, by a query on its fields, or by equality. */
function pullTest(operand: unknown): (item: unknown) => boolean {
  const regExp = toBsonRegExp(operand);
  if (regExp) return elementTest({ $in: [regExp] });
  return isDoc(operand) ? elementTest(operand) : equals(operand);
}

const pullAll = changing('$pullAll', false, (operand, path) => {
  if (!Array.isArray(operand))
    throw mongoError(
      'BadValue',
      `$pullAll requires an array argument but was given a ${typeOf(operand).alias} for '${path}'`,
    );
  return (array) => array.filter((item) => !operand.some((gone) => equalValues(item, gone)));
});

/** The update operators for arrays. */
export const ARRAY_MODIFIERS: Record<string, ModifierDefinition> = {
  $push: { make: push, createsPath: true },
  $addToSet: addToSet,
  $pull: pull,
  $pullAll: pullAll,
};
