import { Double } from 'bson';
import { type Doc, getField, isDoc, setField } from '../bson/values.ts';
import { locationError } from '../errors.ts';
import { eager, isNullish, named } from './arguments.ts';
import type { CompileOperator } from './expression-types.ts';

const letIn: CompileOperator = (argument, { compile, bind }) => {
  if (!isDoc(argument) || !isDoc(argument.vars) || !('in' in argument)) {
    throw locationError(16876, "$let needs 'vars' and 'in'");
  }
  const bindings = Object.entries(argument.vars).map(([name, value]) => [name, compile(value)] as const);
  const body = bind(bindings.map(([name]) => name)).compile(argument.in);
  return (scope) => {
    const variables = { ...scope.variables };
    for (const [name, evaluate] of bindings) variables[name] = evaluate(scope);
    return body({ ...scope, variables });
  };
};

function requireFieldName(value: unknown, name: string): string {
  if (typeof value !== 'string')
    throw locationError(5654602, `${name} requires 'field' to evaluate to a constant string`);
  return value;
}

/** Merges documents from left to right; null and missing are passed over. */
export function mergeDocuments(values: readonly unknown[], name: string): Doc {
  const merged: Doc = {};
  for (const value of values) {
    if (isNullish(value)) continue;
    if (!isDoc(value)) throw locationError(40400, `${name} requires object inputs`);
    for (const [key, item] of Object.entries(value)) setField(merged, key, item);
  }
  return merged;
}

/** Literals, variables, and fields by name. */
export const SCOPE_OPERATORS: Record<string, CompileOperator> = {
  $literal: (argument) => () => argument,
  $const: (argument) => () => argument,
  $rand: () => () => new Double(Math.random()),
  $let: letIn,
  $getField: (argument, compiler) => {
    const { field, input } =
      isDoc(argument) && 'field' in argument ? argument : { field: argument, input: '$$CURRENT' };
    const evaluateName = compiler.compile(field);
    const evaluateInput = compiler.compile(input ?? '$$CURRENT');
    return (scope) => {
      const value = evaluateInput(scope);
      if (isDoc(value)) return getField(value, requireFieldName(evaluateName(scope), '$getField'));
      return value === null ? null : undefined;
    };
  },
  $setField: named('$setField', ['field', 'input', 'value'], [], ({ field, input, value }) => (scope) => {
    const doc = input(scope);
    if (!isDoc(doc)) return null;
    const name = requireFieldName(field(scope), '$setField');
    const changed = { ...doc };
    const item = value(scope);
    if (item === undefined) delete changed[name];
    else setField(changed, name, item);
    return changed;
  }),
  $unsetField: named('$unsetField', ['field', 'input'], [], ({ field, input }) => (scope) => {
    const doc = input(scope);
    if (!isDoc(doc)) return null;
    const { [requireFieldName(field(scope), '$unsetField')]: _removed, ...rest } = doc;
    return rest;
  }),
  $mergeObjects: eager('$mergeObjects', [0, Number.POSITIVE_INFINITY], (values) =>
    mergeDocuments(values, '$mergeObjects'),
  ),
};
