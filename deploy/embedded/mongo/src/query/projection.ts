import { compileExpression, refuseDollar } from '../aggregation/expression.ts';
import type { Evaluate, ExpressionContext } from '../aggregation/expression-types.ts';
import { type Doc, isDoc, isNumber, isTruthy, setField } from '../bson/values.ts';
import { locationError, mongoError, notSupported } from '../errors.ts';

/** Applies a projection to a document. */
export type Project = (doc: Doc) => Doc;

/** The fields to include or exclude, as a tree of path parts. A leaf says whether its field is included. */
type Tree = Map<string, boolean | Tree>;

/**
 * Compiles a projection: fields to include or exclude, and expressions to compute.
 * @throws {CommandError} MongoDB's codes for mixed or colliding paths
 */
export function compileProjection(given: Doc, context: ExpressionContext): Project {
  const tree: Tree = new Map();
  const computed: { parts: string[]; evaluate: Evaluate }[] = [];
  const found = { includes: false, excludes: false };
  readFields(given, []);
  const id = tree.get('_id');
  const isInclusion = found.includes || computed.length > 0 || (id === true && !found.excludes);
  if (isInclusion && found.excludes) {
    throw locationError(31254, 'Cannot do exclusion on field in inclusion projection');
  }
  if (isInclusion && id === undefined && !computed.some(({ parts }) => parts[0] === '_id')) tree.set('_id', true);
  return (doc) => {
    const result = isInclusion ? include(doc, tree) : exclude(doc, tree);
    for (const { parts, evaluate } of computed) setComputed(result, parts, evaluate(doc));
    return result;
  };

  function readFields(fields: Doc, prefix: string[]): void {
    for (const [name, value] of Object.entries(fields)) {
      refuseDollar(name);
      const parts = [...prefix, ...name.split('.')];
      if (parts.includes('')) throw locationError(15998, 'FieldPath field names may not be empty strings.');
      if (parts.some((part) => part.startsWith('$'))) throw notSupported('A positional projection');
      readField(parts, value);
    }
  }

  function readField(parts: string[], value: unknown): void {
    if (typeof value === 'boolean' || isNumber(value)) {
      const isId = parts.length === 1 && parts[0] === '_id';
      if (!isId) found[isTruthy(value) ? 'includes' : 'excludes'] = true;
      place(parts, isTruthy(value));
    } else if (isDoc(value) && Object.keys(value).length === 0) {
      throw locationError(51270, 'An empty sub-projection is not a valid value.');
    } else if (isDoc(value) && !Object.keys(value)[0]!.startsWith('$')) {
      readFields(value, parts);
    } else {
      // Its old value is left out, so that a computed value that is missing leaves no field.
      place(parts, false);
      computed.push({ parts, evaluate: compileExpression(value, context) });
    }
  }

  function place(parts: string[], isIncluded: boolean): void {
    let node = tree;
    for (const [i, part] of parts.entries()) {
      const existing = node.get(part);
      const isLast = i === parts.length - 1;
      if (existing !== undefined && (isLast || !(existing instanceof Map)))
        throw locationError(31250, `Path collision at ${parts.join('.')}`);
      if (isLast) node.set(part, isIncluded);
      else {
        const next: Tree = existing instanceof Map ? existing : new Map();
        node.set(part, next);
        node = next;
      }
    }
  }
}

function include(doc: Doc, tree: Tree): Doc {
  const result: Doc = {};
  for (const [name, value] of Object.entries(doc)) {
    const node = tree.get(name);
    const kept = node instanceof Map ? includeWithin(value, node) : node ? value : undefined;
    if (kept !== undefined) setField(result, name, kept);
  }
  return result;
}

/** Below an included path only documents and arrays are kept. */
function includeWithin(value: unknown, tree: Tree): unknown {
  if (isDoc(value)) return include(value, tree);
  if (!Array.isArray(value)) return undefined;
  return value.map((item) => includeWithin(item, tree)).filter((item) => item !== undefined);
}

function exclude(doc: Doc, tree: Tree): Doc {
  const result: Doc = {};
  for (const [name, value] of Object.entries(doc)) {
    const node = tree.get(name);
    if (node instanceof Map) setField(result, name, excludeWithin(value, node));
    else if (node !== false) setField(result, name, value);
  }
  return result;
}

function excludeWithin(value: unknown, tree: Tree): unknown {
  if (isDoc(value)) return exclude(value, tree);
  return Array.isArray(value) ? value.map((item) => excludeWithin(item, tree)) : value;
}

/** Sets a computed value at a path, in every element of an array on the way. Undefined removes the field. */
export function setComputed(target: Doc, parts: readonly string[], value: unknown): void {
  const [part, ...rest] = parts as [string, ...string[]];
  if (rest.length === 0) {
    if (value === undefined) delete target[part];
    else setField(target, part, value);
    return;
  }
  setField(target, part, withComputed(Object.hasOwn(target, part) ? target[part] : undefined, rest, value));
}

function withComputed(node: unknown, parts: readonly string[], value: unknown): unknown {
  if (Array.isArray(node)) return node.map((item) => withComputed(item, parts, value));
  const doc: Doc = isDoc(node) ? { ...node } : {};
  setComputed(doc, parts, value);
  return doc;
}

/**
 * Reads a find's `projection`. Returns undefined where it keeps everything.
 * @throws {CommandError} TypeMismatch
 */
export function readProjection(given: unknown, context: ExpressionContext): Project | undefined {
  if (given === undefined) return undefined;
  if (!isDoc(given))
    throw mongoError('TypeMismatch', "BSON field 'projection' is the wrong type, expected type 'object'");
  return Object.keys(given).length === 0 ? undefined : compileProjection(given, context);
}
