import { Decimal128, Double, Int32 } from 'bson';
import { calculate } from '../bson/arithmetic.ts';
import { type CompareStrings, compareValues } from '../bson/compare.ts';
import { encodeKey } from '../bson/key-encoding.ts';
import { type BsonNumber, isDoc, isNumber, toNumber } from '../bson/values.ts';
import { CommandError, locationError, notSupported } from '../errors.ts';
import { readSort, sortBy } from '../query/sort.ts';
import { eager, isNullish } from './arguments.ts';
import type { CompileOperator, Compiler, Scope } from './expression-types.ts';
import { mergeDocuments } from './scope-operators.ts';

/** Gathers one group's documents into a value. */
export interface Accumulator {
  add: (scope: Scope) => void;
  result: () => unknown;
}

/** Makes an empty accumulator for each group. */
export type StartAccumulator = () => Accumulator;

/** Adds numbers, whole ones exactly and doubles with the error of each step carried along, as MongoDB does. */
class Sum {
  count = 0;
  #whole: BsonNumber = new Int32(0);
  #decimal: BsonNumber | undefined;
  #double = 0;
  #error = 0;
  #hasDouble = false;

  add(value: unknown): void {
    if (!isNumber(value)) return;
    this.count++;
    if (value instanceof Decimal128) this.#decimal = this.#decimal ? calculate('add', this.#decimal, value) : value;
    else if (value instanceof Double) this.#addDouble(value.value);
    else {
      const next = calculate('add', this.#whole, value);
      if (next instanceof Double) this.#addDouble(toNumber(value));
      else this.#whole = next;
    }
  }

  #addDouble(value: number): void {
    this.#hasDouble = true;
    const next = this.#double + value;
    if (Number.isFinite(next))
      this.#error +=
        Math.abs(this.#double) >= Math.abs(value) ? this.#double - next + value : value - next + this.#double;
    this.#double = next;
  }

  total(): BsonNumber {
    const binary = this.#hasDouble ? new Double(toNumber(this.#whole) + this.#double + this.#error) : this.#whole;
    return this.#decimal ? calculate('add', this.#decimal, binary) : binary;
  }

  mean(): BsonNumber | null {
    if (this.count === 0) return null;
    const total = this.total();
    if (total instanceof Decimal128) throw notSupported('The mean of Decimal128 values');
    return new Double(toNumber(total) / this.count);
  }
}

/** Folds a list of values into one; the base of both an accumulator and an expression over arrays. */
type Fold = (values: Iterable<unknown>, compareStrings: CompareStrings | undefined) => unknown;

const sumOf = (values: Iterable<unknown>): Sum => {
  const sum = new Sum();
  for (const value of values) sum.add(value);
  return sum;
};

const extreme =
  (sign: 1 | -1): Fold =>
  (values, compareStrings) => {
    let best: unknown = null;
    for (const value of values) {
      if (!isNullish(value) && (best === null || compareValues(value, best, compareStrings) * sign > 0)) best = value;
    }
    return best;
  };

const deviation =
  (isSample: boolean): Fold =>
  (values) => {
    const numbers = [...values].filter(isNumber).map(toNumber);
    const divisor = isSample ? numbers.length - 1 : numbers.length;
    if (divisor < 1) return null;
    const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
    return new Double(Math.sqrt(numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0) / divisor));
  };

const FOLDS: Record<string, Fold> = {
  $sum: (values) => sumOf(values).total(),
  $avg: (values) => sumOf(values).mean(),
  $min: extreme(-1),
  $max: extreme(1),
  $stdDevPop: deviation(false),
  $stdDevSamp: deviation(true),
};

/** The same names in an expression: over the elements of one array, or over several arguments. */
export const FOLD_OPERATORS: Record<string, CompileOperator> = Object.fromEntries(
  Object.entries(FOLDS).map(([name, fold]) => [
    name,
    eager(name, [0, Number.POSITIVE_INFINITY], (values, { compareStrings }) => {
      const [only] = values;
      return fold(values.length === 1 && Array.isArray(only) ? only : values, compareStrings);
    }),
  ]),
);

/** Sums and means are kept as they grow; the others need all values. */
const running = (result: (sum: Sum) => unknown): CompileAccumulator => {
  return (argument, { compile }) => {
    const evaluate = compile(argument);
    return () => {
      const sum = new Sum();
      return { add: (scope) => sum.add(evaluate(scope)), result: () => result(sum) };
    };
  };
};

type CompileAccumulator = (argument: unknown, compiler: Compiler) => StartAccumulator;

/** Keeps every value and folds them at the end. */
const gathering = (fold: (values: unknown[], compiler: Compiler) => unknown): CompileAccumulator => {
  return (argument, compiler) => {
    const evaluate = compiler.compile(argument);
    return () => {
      const values: unknown[] = [];
      return { add: (scope) => values.push(evaluate(scope)), result: () => fold(values, compiler) };
    };
  };
};

/** Keeps one value that each new one may replace. */
const keeping = (
  replace: (kept: unknown, value: unknown, isFirst: boolean, compiler: Compiler) => unknown,
): CompileAccumulator => {
  return (argument, compiler) => {
    const evaluate = compiler.compile(argument);
    return () => {
      let kept: unknown = null;
      let isFirst = true;
      return {
        add: (scope) => {
          kept = replace(kept, evaluate(scope), isFirst, compiler);
          isFirst = false;
        },
        result: () => kept ?? null,
      };
    };
  };
};

const keepExtreme = (sign: 1 | -1): CompileAccumulator =>
  keeping((kept, value, _isFirst, { compareStrings }) => {
    if (isNullish(value)) return kept;
    return kept === null || compareValues(value, kept, compareStrings) * sign > 0 ? value : kept;
  });

function distinctValues(values: unknown[], { compareStrings }: Compiler): unknown[] {
  if (compareStrings) throw notSupported('$addToSet under a collation');
  const set = new Map<string, unknown>();
  for (const value of values) {
    if (value !== undefined) set.set(encodeKey(value).toString('latin1'), value);
  }
  return [...set.values()];
}

/** The first, last, least or greatest n values. */
const several = (
  name: string,
  pick: (values: unknown[], n: number, compiler: Compiler) => unknown[],
): CompileAccumulator => {
  return (argument, compiler) => {
    if (!isDoc(argument) || !('input' in argument) || !('n' in argument))
      throw locationError(5787906, `${name} needs 'input' and 'n'`);
    const n = readCount(argument.n, name, compiler);
    return gathering((values) =>
      pick(
        values.map((value) => value ?? null),
        n,
        compiler,
      ),
    )(argument.input, compiler);
  };
};

function readCount(given: unknown, name: string, { compile }: Compiler): number {
  const value = compile(given)({ root: {}, variables: {} });
  const n = isNumber(value) ? toNumber(value) : Number.NaN;
  if (!Number.isInteger(n) || n < 1) throw locationError(5787908, `'n' of ${name} must be a positive whole number`);
  return n;
}

const ordered = (values: unknown[], sign: 1 | -1, { compareStrings }: Compiler): unknown[] =>
  values.filter((value) => !isNullish(value)).sort((a, b) => compareValues(a, b, compareStrings) * sign);

/** `$top`, `$bottom` and their kind: by an order of their own. */
const ranked = (name: string, isTop: boolean, isSingle: boolean): CompileAccumulator => {
  return (argument, compiler) => {
    if (!isDoc(argument) || !('sortBy' in argument) || !('output' in argument))
      throw locationError(5788005, `${name} needs 'sortBy' and 'output'`);
    const fields = readSort(argument.sortBy);
    const output = compiler.compile(argument.output);
    const n = isSingle ? 1 : readCount(argument.n, name, compiler);
    return () => {
      const entries: { scope: Scope; value: unknown }[] = [];
      return {
        add: (scope) => entries.push({ scope, value: output(scope) ?? null }),
        result: () => {
          const sorted = sortBy(entries, fields, ({ scope }) => ({ doc: scope.root, sizeBytes: 0 }), compiler).map(
            ({ value }) => value,
          );
          const picked = isTop ? sorted.slice(0, n) : sorted.slice(-n);
          return isSingle ? (picked[0] ?? null) : picked;
        },
      };
    };
  };
};

const ACCUMULATORS: Record<string, CompileAccumulator> = {
  $sum: running((sum) => sum.total()),
  $avg: running((sum) => sum.mean()),
  $count: (argument) => {
    if (!isDoc(argument) || Object.keys(argument).length > 0)
      throw locationError(5107500, '$count takes no arguments, i.e. $count:{}');
    return () => {
      let count: BsonNumber = new Int32(0);
      return {
        add: () => {
          count = calculate('add', count, new Int32(1));
        },
        result: () => count,
      };
    };
  },
  $min: keepExtreme(-1),
  $max: keepExtreme(1),
  $first: keeping((kept, value, isFirst) => (isFirst ? value : kept)),
  $last: keeping((_kept, value) => value),
  $push: gathering((values) => values.filter((value) => value !== undefined)),
  $addToSet: gathering(distinctValues),
  $mergeObjects: gathering((values) => mergeDocuments(values, '$mergeObjects')),
  $stdDevPop: gathering((values) => deviation(false)(values, undefined)),
  $stdDevSamp: gathering((values) => deviation(true)(values, undefined)),
  $firstN: several('$firstN', (values, n) => values.slice(0, n)),
  $lastN: several('$lastN', (values, n) => values.slice(-n)),
  $minN: several('$minN', (values, n, compiler) => ordered(values, 1, compiler).slice(0, n)),
  $maxN: several('$maxN', (values, n, compiler) => ordered(values, -1, compiler).slice(0, n)),
  $top: ranked('$top', true, true),
  $topN: ranked('$topN', true, false),
  $bottom: ranked('$bottom', false, true),
  $bottomN: ranked('$bottomN', false, false),
};

/** Compiles a field of `$group`. Throws code 15952 for an operator that does not exist. */
export function compileAccumulator(field: string, given: unknown, compiler: Compiler): StartAccumulator {
  if (field.includes('.')) throw locationError(40235, `The field name '${field}' cannot contain '.'`);
  if (field.startsWith('$')) throw locationError(40236, `The field name '${field}' cannot be an operator name`);
  const [name, ...more] = isDoc(given) ? Object.keys(given) : [];
  if (!isDoc(given) || !name?.startsWith('$'))
    throw locationError(40234, `The field '${field}' must be an accumulator object`);
  if (more.length > 0) throw locationError(40238, `The field '${field}' must specify one accumulator`);
  const compile = Object.hasOwn(ACCUMULATORS, name) ? ACCUMULATORS[name] : undefined;
  if (compile) return compile(given[name], compiler);
  if (/^\$(accumulator|median|percentile|covariance\w+)$/.test(name)) throw notSupported(`The accumulator ${name}`);
  throw new CommandError(15952, 'Location15952', `unknown group operator '${name}'`);
}
