import { Double } from 'bson';
import { compareValues } from '../bson/compare.ts';
import { isDoc, isTruthy, setField } from '../bson/values.ts';
import { locationError } from '../errors.ts';
import type { CompileOperator, Evaluate, ExpressionContext } from './expression-types.ts';

type Compile = Parameters<CompileOperator>[2];

/** Compiles the arguments of an operator. A single argument may come without its array. */
function compileArguments(
  name: string,
  argument: unknown,
  compile: Compile,
  { min, max = min }: { min: number; max?: number },
): Evaluate[] {
  const items: unknown[] = Array.isArray(argument) ? argument : [argument];
  if (items.length < min || items.length > max) {
    const expected = min === max ? `exactly ${min}` : `at least ${min}`;
    throw locationError(16020, `Expression ${name} takes ${expected} arguments. ${items.length} were passed in.`);
  }
  return items.map(compile);
}

/** In expressions a missing value sorts below every other value, null included. */
function compare(a: unknown, b: unknown, { compareStrings }: ExpressionContext): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return compareValues(a, b, compareStrings);
}

function comparison(name: string, accepts: (difference: number) => boolean): [string, CompileOperator] {
  return [
    name,
    (argument, context, compile) => {
      const [a, b] = compileArguments(name, argument, compile, { min: 2 });
      return (doc) => accepts(compare(a!(doc), b!(doc), context));
    },
  ];
}

/** Only the chosen branch is evaluated. */
const condition: CompileOperator = (argument, _context, compile) => {
  if (isDoc(argument)) {
    const unknown = Object.keys(argument).find((key) => !['if', 'then', 'else'].includes(key));
    if (unknown) throw locationError(17083, `Unrecognized parameter to $cond: ${unknown}`);
  }
  const parts = isDoc(argument) ? [argument.if, argument.then, argument.else] : argument;
  if (isDoc(argument) && (parts as unknown[]).includes(undefined))
    throw locationError(17080, 'Missing parameter to $cond');
  const [test, yes, no] = compileArguments('$cond', parts, compile, { min: 3 });
  return (doc) => (isTruthy(test!(doc)) ? yes!(doc) : no!(doc));
};

const ifNull: CompileOperator = (argument, _context, compile) => {
  const items = compileArguments('$ifNull', argument, compile, { min: 2, max: Number.POSITIVE_INFINITY });
  return (doc) => {
    let value: unknown;
    for (const item of items) {
      value = item(doc);
      if (value !== null && value !== undefined) return value;
    }
    return value;
  };
};

const fieldSetter: CompileOperator = (argument, _context, compile) => {
  if (!isDoc(argument)) throw locationError(4161100, '$setField only supports an object as its argument');
  const unknown = Object.keys(argument).find((key) => !['field', 'input', 'value'].includes(key));
  if (unknown) throw locationError(4161101, `$setField found an unknown argument: ${unknown}`);
  const missing = ['field', 'input', 'value'].find((key) => !(key in argument));
  if (missing) throw locationError(4161102, `$setField requires '${missing}' to be specified`);
  const [field, input, value] = [argument.field, argument.input, argument.value].map(compile);
  const name = field!({});
  if (typeof name !== 'string')
    throw locationError(4161107, "$setField requires 'field' to evaluate to a constant string");
  return (doc) => {
    const before = input!(doc);
    if (before === null || before === undefined) return null;
    if (!isDoc(before)) throw locationError(4161105, "$setField requires 'input' to evaluate to type Object");
    const changed = { ...before };
    const item = value!(doc);
    if (item === undefined) delete changed[name];
    else setField(changed, name, item);
    return changed;
  };
};

function compileList(argument: unknown, compile: Compile): Evaluate[] {
  return (Array.isArray(argument) ? argument : [argument]).map(compile);
}

/** The expression operators that the server has, by name. */
export const EXPRESSION_OPERATORS = new Map<string, CompileOperator>([
  comparison('$eq', (difference) => difference === 0),
  comparison('$ne', (difference) => difference !== 0),
  comparison('$gt', (difference) => difference > 0),
  comparison('$gte', (difference) => difference >= 0),
  comparison('$lt', (difference) => difference < 0),
  comparison('$lte', (difference) => difference <= 0),
  [
    '$and',
    (argument, _context, compile) => {
      const items = compileList(argument, compile);
      return (doc) => items.every((item) => isTruthy(item(doc)));
    },
  ],
  [
    '$or',
    (argument, _context, compile) => {
      const items = compileList(argument, compile);
      return (doc) => items.some((item) => isTruthy(item(doc)));
    },
  ],
  [
    '$not',
    (argument, _context, compile) => {
      const [item] = compileArguments('$not', argument, compile, { min: 1 });
      return (doc) => !isTruthy(item!(doc));
    },
  ],
  ['$cond', condition],
  ['$ifNull', ifNull],
  ['$literal', (argument) => () => argument],
  ['$rand', () => () => new Double(Math.random())],
  ['$setField', fieldSetter],
]);
