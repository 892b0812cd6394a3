import { Int32, Long, Timestamp } from 'bson';
import { calculate, type Operation, toBigInt } from '../bson/arithmetic.ts';
import { compareValues } from '../bson/compare.ts';
import { typeOf } from '../bson/types.ts';
import { type BsonNumber, copyValue, type Doc, isDoc, isNumber } from '../bson/values.ts';
import { mongoError } from '../errors.ts';
import type { FilterContext } from '../query/parse-filter.ts';

/** What a modifier is applied to, for messages and conditions. */
export interface Target {
  path: string;
  /** The document's `_id`. */
  id: unknown;
  isInsert: boolean;
}

/** Computes a field's new value from its old one, where undefined is a missing field, before and after. */
export type Modify = (old: unknown, target: Target) => unknown;

/** Makes a modifier of its operand; throws where the operand does not fit. */
export type MakeModifier = (operand: unknown, path: string, context: FilterContext) => Modify;

/** A modifier, and whether it makes the documents on the way to its field. */
export interface ModifierDefinition {
  make: MakeModifier;
  createsPath: boolean;
}

const creating = (make: MakeModifier): ModifierDefinition => ({ make, createsPath: true });

function arithmetic(
  name: string,
  operation: Operation,
  initial: (operand: BsonNumber) => BsonNumber,
): ModifierDefinition {
  const verb = name === '$inc' ? 'increment' : 'multiply';
  return creating((operand, path) => {
    if (!isNumber(operand))
      throw mongoError(
        'TypeMismatch',
        `Cannot ${verb} with non-numeric argument: {${path}: ${JSON.stringify(operand)}}`,
      );
    return (old, { id }) => {
      if (old === undefined) return initial(operand);
      if (!isNumber(old)) {
        throw mongoError(
          'TypeMismatch',
          `Cannot apply ${name} to a value of non-numeric type. {_id: ${String(id)}} has the field '${path.split('.').at(-1)}' of non-numeric type ${typeOf(old).alias}`,
        );
      }
      return calculate(operation, old, operand, 'refuse');
    };
  });
}

/** MongoDB's own zero for `$mul` on a missing field has the operand's type. */
const zeroLike = (operand: BsonNumber): BsonNumber =>
  calculate('multiply', operand, operand instanceof Long ? Long.ZERO : new Int32(0));

const extreme = (sign: 1 | -1): ModifierDefinition =>
  creating((operand) => (old) => (old === undefined || compareValues(operand, old) * sign > 0 ? operand : old));

const currentDate: MakeModifier = (operand, path) => {
  const type = isDoc(operand) ? operand.$type : operand === true || operand === false ? 'date' : undefined;
  if (type === 'date') return () => new Date();
  if (type === 'timestamp') return () => new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 });
  throw mongoError(
    'BadValue',
    `The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {${path}: …}}`,
  );
};

type BitOperation = (a: bigint, b: bigint) => bigint;
const BIT_OPERATIONS: Record<string, BitOperation> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

const bitwise: MakeModifier = (operand, path) => {
  if (!isDoc(operand) || Object.keys(operand).length === 0) {
    throw mongoError(
      'BadValue',
      `The $bit modifier is not compatible with a ${typeOf(operand).alias}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    );
  }
  const steps = Object.entries(operand).map(([name, mask]) => {
    const operation = BIT_OPERATIONS[name];
    if (!operation)
      throw mongoError(
        'BadValue',
        `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator`,
      );
    if (!isWhole(mask)) throw mongoError('BadValue', 'The $bit modifier field must be an Integer(32/64 bit)');
    return { operation, mask };
  });
  return (old) => {
    const start = old === undefined ? new Int32(0) : old;
    if (!isWhole(start))
      throw mongoError(
        'BadValue',
        `Cannot apply $bit to a value of non-integral type. The field '${path}' is of type ${typeOf(old).alias}`,
      );
    return steps.reduce<Int32 | Long>((value, { operation, mask }) => {
      const result = operation(toBigInt(value), toBigInt(mask));
      return value instanceof Int32 && mask instanceof Int32
        ? new Int32(Number(result))
        : Long.fromBigInt(BigInt.asIntN(64, result));
    }, start);
  };
};

const isWhole = (value: unknown): value is Int32 | Long =>
  value instanceof Int32 || (value instanceof Long && !(value instanceof Timestamp));

/** Modifiers of single values. */
export const FIELD_MODIFIERS: Record<string, ModifierDefinition> = {
  $set: creating((operand) => () => copyValue(operand)),
  $setOnInsert: creating(
    (operand) =>
      (old, { isInsert }) =>
        isInsert ? copyValue(operand) : old,
  ),
  $unset: { make: () => () => undefined, createsPath: false },
  $inc: arithmetic('$inc', 'add', (operand) => operand),
  $mul: arithmetic('$mul', 'multiply', zeroLike),
  $min: extreme(-1),
  $max: extreme(1),
  $currentDate: creating(currentDate),
  $bit: creating(bitwise),
};

/** The names that `$push` and `$addToSet` take beside `$each`. */
export function readEach(
  operand: unknown,
  name: string,
  allowed: readonly string[],
): { items: unknown[]; options: Doc } {
  if (!isDoc(operand) || !('$each' in operand)) return { items: [operand], options: {} };
  if (!Array.isArray(operand.$each))
    throw mongoError(
      'TypeMismatch',
      `The argument to $each in ${name} must be an array but it was of type: ${typeOf(operand.$each).alias}`,
    );
  const { $each: items, ...options } = operand;
  const unknown = Object.keys(options).find((key) => !allowed.includes(key));
  if (unknown) throw mongoError('BadValue', `Unrecognized clause in ${name}: ${unknown}`);
  return { items: items as unknown[], options };
}
