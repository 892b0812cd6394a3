import { Int32 } from 'bson';
import { compareValues } from '../bson/compare.ts';
import { isDoc, isTruthy } from '../bson/values.ts';
import { locationError } from '../errors.ts';
import { eager, isNullish } from './arguments.ts';
import type { CompileOperator, Compiler } from './expression-types.ts';

const ANY: readonly [number, number] = [0, Number.POSITIVE_INFINITY];

/** In expressions a missing value sorts below everything that is there, null included. */
function compare(a: unknown, b: unknown, { compareStrings }: Compiler): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return compareValues(a, b, compareStrings);
}

const comparison = (name: string, accepts: (difference: number) => boolean): CompileOperator =>
  eager(name, 2, ([a, b], compiler) => accepts(compare(a, b, compiler)));

/** Branches run only where they are chosen. */
const condition: CompileOperator = (argument, { compile }) => {
  if (isDoc(argument)) {
    const unknown = Object.keys(argument).find((key) => !['if', 'then', 'else'].includes(key));
    if (unknown) throw locationError(17083, `Unrecognized parameter to $cond: ${unknown}`);
  }
  const parts = isDoc(argument) ? [argument.if, argument.then, argument.else] : argument;
  if (!Array.isArray(parts) || parts.length !== 3) {
    throw locationError(16020, 'Expression $cond takes exactly 3 arguments.');
  }
  if (isDoc(argument) && parts.includes(undefined)) throw locationError(17080, 'Missing parameter to $cond');
  const [test, yes, no] = parts.map(compile);
  return (scope) => (isTruthy(test!(scope)) ? yes!(scope) : no!(scope));
};

const choice: CompileOperator = (argument, { compile }) => {
  if (!isDoc(argument) || !Array.isArray(argument.branches) || argument.branches.length === 0) {
    throw locationError(40068, '$switch requires at least one branch');
  }
  const branches = argument.branches.map((branch: unknown) => {
    if (!isDoc(branch) || !('case' in branch) || !('then' in branch)) {
      throw locationError(40067, "$switch requires each branch to have a 'case' and a 'then' expression");
    }
    return { test: compile(branch.case), result: compile(branch.then) };
  });
  const otherwise = 'default' in argument ? compile(argument.default) : undefined;
  return (scope) => {
    const branch = branches.find(({ test }) => isTruthy(test(scope)));
    if (branch) return branch.result(scope);
    if (!otherwise)
      throw locationError(
        40066,
        '$switch could not find a matching branch for an input, and no default was specified.',
      );
    return otherwise(scope);
  };
};

/** Comparison, boolean and conditional operators. */
export const LOGIC_OPERATORS: Record<string, CompileOperator> = {
  $eq: comparison('$eq', (difference) => difference === 0),
  $ne: comparison('$ne', (difference) => difference !== 0),
  $gt: comparison('$gt', (difference) => difference > 0),
  $gte: comparison('$gte', (difference) => difference >= 0),
  $lt: comparison('$lt', (difference) => difference < 0),
  $lte: comparison('$lte', (difference) => difference <= 0),
  $cmp: eager('$cmp', 2, ([a, b], compiler) => new Int32(Math.sign(compare(a, b, compiler)))),
  $and: (argument, { compile }) => {
    const items = (Array.isArray(argument) ? argument : [argument]).map(compile);
    return (scope) => items.every((item) => isTruthy(item(scope)));
  },
  $or: (argument, { compile }) => {
    const items = (Array.isArray(argument) ? argument : [argument]).map(compile);
    return (scope) => items.some((item) => isTruthy(item(scope)));
  },
  $not: eager('$not', 1, ([value]) => !isTruthy(value)),
  $cond: condition,
  $switch: choice,
  $ifNull: eager('$ifNull', [2, ANY[1]], (values) => values.find((value) => !isNullish(value)) ?? values.at(-1)),
};
