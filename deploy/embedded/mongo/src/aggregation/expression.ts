import { type Doc, getField, isDoc, setField } from '../bson/values.ts';
import { locationError, mongoError } from '../errors.ts';
import { EXPRESSION_OPERATORS } from './expression-operators.ts';
import type { Evaluate, ExpressionContext } from './expression-types.ts';

/**
 * Compiles an aggregation expression.
 * @throws {CommandError} 168 for an operator that this server does not have; MongoDB's codes for invalid arguments and paths
 */
export function compileExpression(expression: unknown, context: ExpressionContext = {}): Evaluate {
  if (typeof expression === 'string' && expression.startsWith('$')) return compilePath(expression, context);
  if (Array.isArray(expression)) {
    const items = expression.map((item) => compileExpression(item, context));
    return (doc) => items.map((item) => item(doc) ?? null);
  }
  if (!isDoc(expression)) return () => expression;
  const name = Object.keys(expression)[0];
  return name?.startsWith('$') ? compileOperator(expression, name, context) : compileObject(expression, context);
}

function compileOperator(expression: Doc, name: string, context: ExpressionContext): Evaluate {
  if (Object.keys(expression).length > 1) {
    throw locationError(15983, 'An object representing an expression must have exactly one field');
  }
  const compile = EXPRESSION_OPERATORS.get(name);
  if (compile) return compile(expression[name], context, (inner) => compileExpression(inner, context));
  const supported = [...EXPRESSION_OPERATORS.keys()].join(', ');
  throw mongoError(
    'InvalidPipelineOperator',
    `Unrecognized expression '${name}'. The embedded server supports ${supported}.`,
  );
}

function compileObject(expression: Doc, context: ExpressionContext): Evaluate {
  const fields = Object.entries(expression).map(([name, value]) => {
    refuseDollar(name);
    if (name.includes('.'))
      throw locationError(16412, "FieldPath field names may not contain '.'. Consider using $getField or $setField.");
    return [name, compileExpression(value, context)] as const;
  });
  return (doc) => {
    const result: Doc = {};
    for (const [name, evaluate] of fields) {
      const value = evaluate(doc);
      if (value !== undefined) setField(result, name, value);
    }
    return result;
  };
}

/** @throws {CommandError} 16410 for a field name that begins with `$` */
export function refuseDollar(name: string): void {
  if (name.startsWith('$'))
    throw locationError(16410, "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
}

function compilePath(text: string, { variables = {} }: ExpressionContext): Evaluate {
  if (!text.startsWith('$$')) {
    const parts = splitPath(text.slice(1));
    return (doc) => valueAtPath(doc, parts);
  }
  const [name = '', ...rest] = text.slice(2).split('.');
  const parts = rest.length ? splitPath(rest.join('.')) : [];
  if (name === 'ROOT' || name === 'CURRENT') return (doc) => valueAtPath(doc, parts);
  if (name === 'REMOVE') return () => undefined;
  if (!Object.hasOwn(variables, name)) {
    if (/^[A-Z]/.test(name))
      throw mongoError('FailedToParse', `'${name}' starts with an invalid character for a user variable name`);
    throw locationError(17276, `Use of undefined variable: ${name}`);
  }
  return () => valueAtPath(variables[name], parts);
}

function splitPath(path: string): string[] {
  const parts = path.split('.');
  if (path === '') throw locationError(16872, "'$' by itself is not a valid FieldPath");
  if (parts.includes('')) throw locationError(15998, 'FieldPath field names may not be empty strings.');
  parts.forEach(refuseDollar);
  return parts;
}

/** An expression's path maps over arrays: it takes no positions and skips elements that lack the field. */
function valueAtPath(value: unknown, parts: readonly string[], from = 0): unknown {
  if (from === parts.length) return value;
  if (isDoc(value)) return valueAtPath(getField(value, parts[from]!), parts, from + 1);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item: unknown) => {
    const found = isDoc(item) ? valueAtPath(item, parts, from) : undefined;
    return found === undefined ? [] : [found];
  });
}
