import { type Doc, isDoc, isNumber, isTruthy, setField } from '../bson/values.ts';
import { locationError, mongoError, notSupported } from '../errors.ts';

/** Applies a projection to a document. */
export type Project = (doc: Doc) => Doc;

/** The fields to include or exclude, as a tree of path segments. A leaf says whether its field is included. */
type Tree = Map<string, boolean | Tree>;

/** Compiles a projection. @throws {CommandError} MongoDB's codes for mixed or colliding paths, CommandNotSupported for expressions */
function compileProjection(given: Doc): Project {
  const tree: Tree = new Map();
  const found = { includes: false, excludes: false };
  for (const [name, value] of Object.entries(given)) {
    const parts = name.split('.');
    if (parts.includes('')) throw locationError(15998, 'FieldPath field names may not be empty strings.');
    if (parts.some((part) => part.startsWith('$'))) throw notSupported('A positional projection');
    if (typeof value !== 'boolean' && !isNumber(value)) throw notSupported('A projection other than of whole fields');
    if (name !== '_id') found[isTruthy(value) ? 'includes' : 'excludes'] = true;
    place(tree, parts, isTruthy(value));
  }
  const id = tree.get('_id');
  const isInclusion = found.includes || (id === true && !found.excludes);
  if (isInclusion && found.excludes) throw locationError(31254, 'Cannot do exclusion on field in inclusion projection');
  if (isInclusion && id === undefined) tree.set('_id', true);
  return (doc) => (isInclusion ? include(doc, tree) : exclude(doc, tree));
}

function place(tree: Tree, parts: readonly string[], isIncluded: boolean): void {
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

/**
 * Parses a find's `projection`. Returns undefined if it keeps everything.
 * @throws {CommandError} TypeMismatch
 */
export function readProjection(given: unknown): Project | undefined {
  if (given === undefined) return undefined;
  if (!isDoc(given))
    throw mongoError('TypeMismatch', "BSON field 'projection' is the wrong type, expected type 'object'");
  return Object.keys(given).length === 0 ? undefined : compileProjection(given);
}
