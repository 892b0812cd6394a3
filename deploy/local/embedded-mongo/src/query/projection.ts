import { compileExpression } from '../aggregation/expression.ts';
import type { CompareStrings } from '../bson/compare.ts';
import { type Doc, isDoc, isNumber, isTruthy, setField, toNumber } from '../bson/values.ts';
import { locationError, mongoError, notSupported } from '../errors.ts';
import { elementTest } from './parse-filter.ts';
import type { MatchDetails } from './paths.ts';

/** Turns a document into what a projection leaves of it. */
export type Project = (doc: Doc, details: MatchDetails) => Doc;

interface ProjectionOptions {
  /** Whether `$slice`, `$elemMatch` and `.$` are a find's projection operators, not expressions. */
  isFind: boolean;
  compareStrings?: CompareStrings | undefined;
  variables?: Doc | undefined;
}

/** What becomes of one field. A transformation that gives undefined leaves the field out. */
type Leaf =
  | { kind: 'include' }
  | { kind: 'exclude' }
  | { kind: 'transform'; apply: (value: unknown, details: MatchDetails) => unknown };
type Tree = Map<string, Leaf | Tree>;

interface Computed {
  parts: string[];
  evaluate: (doc: Doc) => unknown;
}

/** Compiles a projection. Throws MongoDB's errors for mixtures and collisions. */
export function compileProjection(given: Doc, options: ProjectionOptions): Project {
  const tree: Tree = new Map();
  const computed: Computed[] = [];
  const found = { includes: false, excludes: false, needsInclusion: false };
  readFields(given, []);
  const id = tree.get('_id');
  const idExcluded = id !== undefined && !(id instanceof Map) && id.kind === 'exclude';
  const isInclusion =
    found.includes ||
    found.needsInclusion ||
    computed.length > 0 ||
    (id !== undefined && !idExcluded && !found.excludes);
  if (isInclusion && found.excludes) {
    throw locationError(31254, 'Cannot do exclusion on field in inclusion projection');
  }
  if (isInclusion && !tree.has('_id') && !computed.some(({ parts }) => parts[0] === '_id'))
    tree.set('_id', { kind: 'include' });
  if (isInclusion && idExcluded) tree.delete('_id');
  return (doc, details) => {
    const result = isInclusion ? include(doc, tree, details) : exclude(doc, tree, details);
    for (const { parts, evaluate } of computed) setComputed(result, parts, evaluate(doc));
    return result;
  };

  function readFields(fields: Doc, prefix: string[]): void {
    for (const [name, value] of Object.entries(fields)) {
      if (name.startsWith('$'))
        throw locationError(
          16410,
          `FieldPath field names may not start with '$'. Consider using $getField or $setField.`,
        );
      const parts = [...prefix, ...name.split('.')];
      if (parts.includes('')) throw locationError(15998, 'FieldPath field names may not be empty strings.');
      readField(parts, value);
    }
  }

  function readField(parts: string[], value: unknown): void {
    if (parts.at(-1) === '$') {
      readPositional(parts.slice(0, -1), value);
      return;
    }
    if (parts.slice(1).some((part) => part.startsWith('$')))
      throw locationError(31394, "As of 4.4, it's illegal to specify positional operator in the middle of a path.");
    const isId = parts.length === 1 && parts[0] === '_id';
    if (typeof value === 'boolean' || isNumber(value)) {
      const isIncluded = isTruthy(value);
      if (!isId) found[isIncluded ? 'includes' : 'excludes'] = true;
      place(parts, { kind: isIncluded ? 'include' : 'exclude' });
      return;
    }
    if (isDoc(value) && Object.keys(value).length === 0)
      throw locationError(51270, 'An empty sub-projection is not a valid value.');
    if (isDoc(value) && !Object.keys(value)[0]!.startsWith('$')) {
      readFields(value, parts);
      return;
    }
    const transform = isDoc(value) && options.isFind ? findOperator(value) : undefined;
    if (transform) {
      if ('$elemMatch' in (value as Doc)) found.needsInclusion = true;
      place(parts, { kind: 'transform', apply: transform });
      return;
    }
    place(parts, { kind: 'transform', apply: () => undefined });
    const evaluate = compileExpression(value, options);
    computed.push({ parts, evaluate: (doc) => evaluate(doc) });
  }

  function readPositional(parts: string[], value: unknown): void {
    if (!options.isFind || parts.length === 0)
      throw locationError(16410, `FieldPath field names may not start with '$'.`);
    if (!isTruthy(value)) throw locationError(31395, 'positional projection cannot be used with exclusion');
    found.needsInclusion = true;
    place(parts, {
      kind: 'transform',
      apply: (array, { position }) => {
        if (!Array.isArray(array)) return array;
        if (position === undefined || position >= array.length) {
          throw locationError(
            51246,
            "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
          );
        }
        return [array[position]];
      },
    });
  }

  function place(parts: string[], leaf: Leaf): void {
    let node = tree;
    for (const [i, part] of parts.entries()) {
      const existing = node.get(part);
      const isLast = i === parts.length - 1;
      if (existing && (isLast || !(existing instanceof Map)))
        throw locationError(31250, `Path collision at ${parts.join('.')}`);
      if (isLast) node.set(part, leaf);
      else {
        const next: Tree = existing instanceof Map ? existing : new Map();
        node.set(part, next);
        node = next;
      }
    }
  }

  function findOperator(value: Doc): ((value: unknown) => unknown) | undefined {
    const [name, operand] = Object.entries(value)[0]!;
    if (name === '$elemMatch') {
      if (!isDoc(operand))
        throw locationError(31274, `elemMatch: Invalid argument, object required, but got ${typeof operand}`);
      const test = elementTest(operand, options);
      return (array) => {
        const found = Array.isArray(array) ? array.findIndex(test) : -1;
        return found < 0 ? undefined : [(array as unknown[])[found]];
      };
    }
    if (name === '$meta') throw notSupported('A projection of $meta');
    return name === '$slice' ? slice(operand) : undefined;
  }
}

function slice(operand: unknown): ((value: unknown) => unknown) | undefined {
  const numbers = (Array.isArray(operand) ? operand : [operand]).map((part: unknown) =>
    isNumber(part) ? toNumber(part) : Number.NaN,
  );
  if (numbers.some(Number.isNaN)) return undefined;
  const [first = 0, count] = numbers;
  if (numbers.length === 2 && !(count! > 0))
    throw locationError(28724, 'First argument to $slice must be an array, but is of type: int');
  return (value) => {
    if (!Array.isArray(value)) return value;
    if (count === undefined) return first < 0 ? value.slice(first) : value.slice(0, first);
    const start = first < 0 ? Math.max(value.length + first, 0) : first;
    return value.slice(start, start + count);
  };
}

function include(doc: Doc, tree: Tree, details: MatchDetails): Doc {
  const result: Doc = {};
  for (const [name, value] of Object.entries(doc)) {
    const node = tree.get(name);
    if (node === undefined) continue;
    const kept = node instanceof Map ? includeWithin(value, node, details) : applyLeaf(node, value, details);
    if (kept !== undefined) setField(result, name, kept);
  }
  return result;
}

/** Below an included path only documents are followed; other values are left out. */
function includeWithin(value: unknown, tree: Tree, details: MatchDetails): unknown {
  if (isDoc(value)) return include(value, tree, details);
  if (!Array.isArray(value)) return undefined;
  return value.map((item) => includeWithin(item, tree, details)).filter((item) => item !== undefined);
}

function exclude(doc: Doc, tree: Tree, details: MatchDetails): Doc {
  const result: Doc = {};
  for (const [name, value] of Object.entries(doc)) {
    const node = tree.get(name);
    const kept =
      node === undefined
        ? value
        : node instanceof Map
          ? excludeWithin(value, node, details)
          : applyLeaf(node, value, details);
    if (kept !== undefined) setField(result, name, kept);
  }
  return result;
}

function excludeWithin(value: unknown, tree: Tree, details: MatchDetails): unknown {
  if (isDoc(value)) return exclude(value, tree, details);
  return Array.isArray(value) ? value.map((item) => excludeWithin(item, tree, details)) : value;
}

function applyLeaf(leaf: Leaf, value: unknown, details: MatchDetails): unknown {
  if (leaf.kind === 'transform') return leaf.apply(value, details);
  return leaf.kind === 'include' ? value : undefined;
}

/** Sets a computed value at a path, in each element where the path meets an array; undefined removes nothing and adds nothing. */
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

/** Reads a find's `projection`, or undefined where it keeps everything. Throws TypeMismatch. */
export function readProjection(given: unknown, options: ProjectionOptions): Project | undefined {
  if (given === undefined) return undefined;
  if (!isDoc(given))
    throw mongoError('TypeMismatch', "BSON field 'projection' is the wrong type, expected type 'object'");
  return Object.keys(given).length === 0 ? undefined : compileProjection(given, options);
}
