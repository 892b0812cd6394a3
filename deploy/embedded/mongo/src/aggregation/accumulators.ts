import { Double, Int32 } from 'bson';
import { compareValues } from '../bson/compare.ts';
import { add, type BsonNumber, isDoc, isNumber, toNumber } from '../bson/values.ts';
import { locationError } from '../errors.ts';
import { compileExpression, type Evaluate } from './expression.ts';

/** Combines the values of one group. */
export interface Accumulator {
  add: (value: unknown) => void;
  result: () => unknown;
}

/** Sums integers exactly, and doubles with Kahan-Neumaier compensation, as MongoDB does. */
function sum(): Accumulator {
  let integer: BsonNumber = new Int32(0);
  let double = 0;
  let compensation = 0;
  let hasDouble = false;

  function addDouble(value: number): void {
    hasDouble = true;
    const next = double + value;
    if (Number.isFinite(next))
      compensation += Math.abs(double) >= Math.abs(value) ? double - next + value : value - next + double;
    double = next;
  }

  return {
    add(value) {
      if (!isNumber(value)) return;
      if (value instanceof Double) addDouble(value.value);
      else {
        const next = add(integer, value);
        if (next instanceof Double) addDouble(toNumber(value));
        else integer = next;
      }
    },
    result() {
      return hasDouble ? new Double(toNumber(integer) + double + compensation) : integer;
    },
  };
}

/** Keeps the greatest value (`sign` 1) or the least (-1). Null and missing values are ignored. */
function extreme(sign: 1 | -1): Accumulator {
  let kept: unknown = null;
  return {
    add(value) {
      if (value === null || value === undefined) return;
      if (kept === null || compareValues(value, kept) * sign > 0) kept = value;
    },
    result: () => kept,
  };
}

const ACCUMULATORS = new Map<string, () => Accumulator>([
  ['$sum', sum],
  ['$min', () => extreme(-1)],
  ['$max', () => extreme(1)],
]);

/** One computed field of `$group`. */
export interface GroupField {
  name: string;
  evaluate: Evaluate;
  /** Makes the empty accumulator of a new group. */
  start: () => Accumulator;
}

/**
 * Compiles a computed field of `$group`.
 * @throws {CommandError} 15952 for an accumulator that this server does not have
 */
export function compileAccumulator(field: string, given: unknown): GroupField {
  if (field.includes('.')) throw locationError(40235, `The field name '${field}' cannot contain '.'`);
  if (field.startsWith('$')) throw locationError(40236, `The field name '${field}' cannot be an operator name`);
  const [name, ...more] = isDoc(given) ? Object.keys(given) : [];
  if (!isDoc(given) || !name?.startsWith('$'))
    throw locationError(40234, `The field '${field}' must be an accumulator object`);
  if (more.length > 0) throw locationError(40238, `The field '${field}' must specify one accumulator`);
  const start = ACCUMULATORS.get(name);
  if (!start) {
    const supported = [...ACCUMULATORS.keys()].join(', ');
    throw locationError(15952, `unknown group operator '${name}'. The embedded server supports ${supported}.`);
  }
  return { name: field, evaluate: compileExpression(given[name]), start };
}
