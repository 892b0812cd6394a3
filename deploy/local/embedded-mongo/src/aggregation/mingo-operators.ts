import { Double } from 'bson';
import { Context, computeValue, ProcessingMode } from 'mingo/core';
import { $literal } from 'mingo/operators/expression';
import { $concat, $replaceAll, $replaceOne, $split, $strLenCP, $substrCP } from 'mingo/operators/expression/string';
import {
  $acos,
  $acosh,
  $asin,
  $asinh,
  $atan,
  $atan2,
  $atanh,
  $cos,
  $cosh,
  $degreesToRadians,
  $radiansToDegrees,
  $sin,
  $sinh,
  $tan,
  $tanh,
} from 'mingo/operators/expression/trignometry';
import { fromInteger, isDoc, isNumber, toNumber } from '../bson/values.ts';
import { locationError } from '../errors.ts';
import type { CompileOperator, Evaluate } from './expression-types.ts';

const STRINGS = { $concat, $replaceAll, $replaceOne, $split, $strLenCP, $substrCP };
const ANGLES = {
  $acos,
  $acosh,
  $asin,
  $asinh,
  $atan,
  $atan2,
  $atanh,
  $cos,
  $cosh,
  $degreesToRadians,
  $radiansToDegrees,
  $sin,
  $sinh,
  $tan,
  $tanh,
};

const context = Context.init({ expression: { $literal, ...STRINGS, ...ANGLES } });
const options: Parameters<typeof computeValue>[3] = {
  context,
  idKey: '_id',
  processingMode: ProcessingMode.CLONE_OFF,
  failOnError: true,
  scriptEnabled: false,
  useStrictMode: true,
};

/** MongoDB's code for an argument of a wrong type. */
const CODES: Record<string, number> = {
  $concat: 16702,
  $replaceAll: 51746,
  $replaceOne: 51746,
  $split: 40085,
  $strLenCP: 34471,
  $substrCP: 34450,
};
const ANGLE_CODE = 28765;

/** mingo works on JavaScript's values: numbers are unwrapped before, and its result wrapped after. */
const toPlain = (value: unknown): unknown => (isNumber(value) ? toNumber(value) : value);

/** Evaluates the arguments here, by our rules for paths and variables, and only applies mingo's operator to them. */
function throughMingo(name: string, fromResult: (result: unknown) => unknown): CompileOperator {
  return (argument, { compile }) => {
    const evaluate = compileArguments(argument, compile);
    return (scope) => {
      const values = evaluate(scope);
      try {
        return fromResult(computeValue({}, values, name, options));
      } catch (error) {
        throw locationError(CODES[name] ?? ANGLE_CODE, error instanceof Error ? error.message : String(error));
      }
    };
  };
}

const literal = (value: unknown): { $literal: unknown } => ({ $literal: toPlain(value) ?? null });

function compileArguments(
  argument: unknown,
  compile: (expression: unknown) => Evaluate,
): (scope: Parameters<Evaluate>[0]) => unknown {
  if (Array.isArray(argument)) {
    const items = argument.map(compile);
    return (scope) => items.map((item) => literal(item(scope)));
  }
  if (isDoc(argument) && !Object.keys(argument)[0]?.startsWith('$')) {
    const fields = Object.entries(argument).map(([name, value]) => [name, compile(value)] as const);
    return (scope) => Object.fromEntries(fields.map(([name, evaluate]) => [name, literal(evaluate(scope))]));
  }
  const evaluate = compile(argument);
  return (scope) => literal(evaluate(scope));
}

const refuseEmptySeparator =
  (compile: CompileOperator): CompileOperator =>
  (argument, compiler) => {
    if (Array.isArray(argument) && argument[1] === '')
      throw locationError(40087, '$split requires a non-empty separator');
    return compile(argument, compiler);
  };

const asCount = (result: unknown): unknown => fromInteger(result as number);
const asAngle = (result: unknown): unknown => (typeof result === 'number' ? new Double(result) : null);
const asIs = (result: unknown): unknown => result;

/** Strings and angles, whose values mingo computes as MongoDB does. */
export const MINGO_OPERATORS: Record<string, CompileOperator> = {
  $concat: throughMingo('$concat', asIs),
  $replaceAll: throughMingo('$replaceAll', asIs),
  $replaceOne: throughMingo('$replaceOne', asIs),
  $split: refuseEmptySeparator(throughMingo('$split', asIs)),
  $strLenCP: throughMingo('$strLenCP', asCount),
  $substrCP: throughMingo('$substrCP', asIs),
  ...Object.fromEntries(Object.keys(ANGLES).map((name) => [name, throughMingo(name, asAngle)])),
};
