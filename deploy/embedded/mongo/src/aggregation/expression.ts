import { type Doc, getField, isDoc, isNumber } from '../bson/values.ts';
import { locationError, mongoError } from '../errors.ts';

/** Evaluates to a value for a document. A missing value is undefined. */
export type Evaluate = (doc: Doc) => unknown;

/**
 * Compiles an aggregation expression: a path, a constant, or `$ifNull` of those.
 * @throws {CommandError} 168 for an unsupported operator; MongoDB's codes for invalid arguments and paths
 */
export function compileExpression(expression: unknown): Evaluate {
  if (typeof expression === 'string' && expression.startsWith('$')) return compilePath(expression);
  if (expression === null || typeof expression === 'string' || isNumber(expression)) return () => expression;
  const [name = ''] = isDoc(expression) ? Object.keys(expression) : [];
  if (!isDoc(expression) || name !== '$ifNull')
    throw mongoError(
      'InvalidPipelineOperator',
      `Unrecognized expression '${name}'. The embedded server supports paths, constants and $ifNull.`,
    );
  if (Object.keys(expression).length > 1)
    throw locationError(15983, 'An object representing an expression must have exactly one field');
  const given: unknown = expression.$ifNull;
  if (!Array.isArray(given) || given.length < 2) throw locationError(1257300, '$ifNull needs at least two arguments');
  const items = given.map(compileExpression);
  return (doc) => {
    let value: unknown;
    for (const item of items) {
      value = item(doc);
      if (value !== null && value !== undefined) break;
    }
    return value;
  };
}

function compilePath(text: string): Evaluate {
  const parts = text.slice(1).split('.');
  if (text === '$') throw locationError(16872, "'$' by itself is not a valid FieldPath");
  if (parts.includes('')) throw locationError(15998, 'FieldPath field names may not be empty strings.');
  if (parts.some((part) => part.startsWith('$')))
    throw locationError(16410, "FieldPath field names may not start with '$'. The embedded server has no variables.");
  return (doc) => valueAtPath(doc, parts);
}

/** Expression paths map over arrays: they don't support positions, and skip elements that lack the field. */
function valueAtPath(value: unknown, parts: readonly string[], from = 0): unknown {
  if (from === parts.length) return value;
  if (isDoc(value)) return valueAtPath(getField(value, parts[from]!), parts, from + 1);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item: unknown) => {
    const found = isDoc(item) ? valueAtPath(item, parts, from) : undefined;
    return found === undefined ? [] : [found];
  });
}
