import { compilePipelineUpdate } from '../aggregation/pipeline.ts';
import { formatValue } from '../bson/format.ts';
import { copyValue, type Doc, isDoc, setField } from '../bson/values.ts';
import { mongoError, notSupported } from '../errors.ts';
import { type FilterContext, parseFilter } from '../query/parse-filter.ts';
import { isPosition } from '../query/paths.ts';
import { ARRAY_MODIFIERS } from './array-modifiers.ts';
import { FIELD_MODIFIERS, type ModifierDefinition, type Modify } from './modifiers.ts';
import { changeAt, concretePaths, type ElementTests } from './targets.ts';

/**
 * Reads `arrayFilters`. A filter's identifier is the first part of all its paths.
 * @throws {CommandError} TypeMismatch, FailedToParse or BadValue for an invalid filter
 */
function readArrayFilters(given: unknown, context: FilterContext): ElementTests {
  const tests = new Map<string, (element: unknown) => boolean>();
  if (given === undefined) return tests;
  if (!Array.isArray(given))
    throw mongoError(
      'TypeMismatch',
      "BSON field 'update.updates.arrayFilters' is the wrong type, expected type 'array'",
    );
  for (const filter of given as unknown[]) {
    if (!isDoc(filter)) throw mongoError('TypeMismatch', 'Each array filter must be an object');
    const names = new Set(identifiersIn(filter));
    const [name] = names;
    if (!name)
      throw mongoError('FailedToParse', 'Cannot use an expression without a top-level field name in arrayFilters');
    if (names.size > 1) {
      throw mongoError(
        'FailedToParse',
        `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${[...names].join("' and '")}'`,
      );
    }
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) {
      throw mongoError(
        'BadValue',
        `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`,
      );
    }
    if (tests.has(name))
      throw mongoError('FailedToParse', `Found multiple array filters with the same top-level field name ${name}`);
    const parsed = parseFilter(filter, context);
    tests.set(name, (element) => parsed.test({ [name]: element }));
  }
  return tests;
}

function identifiersIn(filter: Doc): string[] {
  return Object.entries(filter).flatMap(([key, value]) => {
    if (!key.startsWith('$')) return [key.split('.')[0]!];
    return Array.isArray(value) ? value.flatMap((item: unknown) => (isDoc(item) ? identifiersIn(item) : [])) : [];
  });
}

/** A compiled update. */
export interface Update {
  kind: 'modifiers' | 'replacement' | 'pipeline';
  /** Returns the changed document without changing the given one. `isInsert` says that an upsert is inserting it. */
  apply: (doc: Doc, isInsert: boolean) => Doc;
}

const MODIFIERS: Record<string, ModifierDefinition> = { ...FIELD_MODIFIERS, ...ARRAY_MODIFIERS };

interface Step {
  operator: string;
  path: string;
  parts: string[];
  createsPath: boolean;
  modify: Modify;
}

/**
 * Compiles the `u` of an update.
 * @throws {CommandError} FailedToParse for a modifier that this server does not have; MongoDB's codes for invalid operands
 */
export function compileUpdate(update: unknown, arrayFilters: unknown, context: FilterContext): Update {
  if (Array.isArray(update)) {
    if (arrayFilters !== undefined)
      throw mongoError('FailedToParse', 'arrayFilters may not be specified for pipeline-style updates');
    const apply = compilePipelineUpdate(update, context);
    return { kind: 'pipeline', apply: (doc) => apply(copyValue(doc)) };
  }
  if (!isDoc(update)) throw mongoError('FailedToParse', 'Update argument must be either an object or an array');
  const isModifiers = Object.keys(update)[0]?.startsWith('$') ?? false;
  if (!isModifiers && arrayFilters !== undefined && (arrayFilters as unknown[]).length > 0)
    throw mongoError('FailedToParse', 'arrayFilters may not be specified for replacement-style updates');
  return isModifiers ? compileModifiers(update, arrayFilters, context) : compileReplacement(update);
}

function compileReplacement(update: Doc): Update {
  const dollar = Object.keys(update).find((name) => name.startsWith('$'));
  if (dollar) {
    throw mongoError(
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${dollar}' in '${dollar}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    );
  }
  return {
    kind: 'replacement',
    apply: (doc) => {
      const id = Object.hasOwn(doc, '_id') ? { _id: doc._id } : {};
      return { ...id, ...copyValue(update) };
    },
  };
}

function compileModifiers(update: Doc, arrayFilters: unknown, context: FilterContext): Update {
  const elementTests = readArrayFilters(arrayFilters, context);
  const steps = Object.entries(update).flatMap(([operator, fields]) => compileOperator(operator, fields, context));
  refuseConflicts(steps);
  refuseUnusedFilters(steps, elementTests);
  steps.sort((a, b) => compareParts(a.parts, b.parts));
  return {
    kind: 'modifiers',
    apply: (doc, isInsert) => {
      const changed = copyValue(doc);
      for (const { operator, parts, modify, createsPath } of steps) {
        if (operator === '$setOnInsert' && !isInsert) continue;
        for (const concrete of concretePaths(changed, parts, elementTests)) {
          changeAt(changed, concrete, createsPath, (old) => modify(old, doc._id));
        }
      }
      return changed;
    },
  };
}

function compileOperator(operator: string, fields: unknown, context: FilterContext): Step[] {
  const definition = MODIFIERS[operator];
  if (!definition) {
    const supported = Object.keys(MODIFIERS).join(', ');
    throw mongoError('FailedToParse', `Unknown modifier: ${operator}. The embedded server supports ${supported}.`);
  }
  if (!isDoc(fields)) {
    throw mongoError(
      'FailedToParse',
      `Modifiers operate on fields but we found type ${typeof fields} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${formatValue(fields)}}`,
    );
  }
  const { make, createsPath } = definition;
  return Object.entries(fields).map(([path, operand]) => {
    return { operator, path, parts: readParts(path), createsPath, modify: make(operand, path, context) };
  });
}

function readParts(path: string): string[] {
  const parts = path.split('.');
  if (path === '') throw mongoError('EmptyFieldName', 'An empty update path is not valid.');
  if (parts.includes(''))
    throw mongoError('EmptyFieldName', `The update path '${path}' contains an empty field name, which is not allowed.`);
  parts.forEach((part, i) => {
    if (part === '$' && i > 0) throw notSupported('The positional operator $');
    const isPlaceholder = i > 0 && /^\$\[[a-z0-9]*[a-zA-Z0-9]*\]$/.test(part);
    if (part.startsWith('$') && !isPlaceholder && !['$id', '$ref', '$db'].includes(part)) {
      throw mongoError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${part}' in '${path}' is not allowed in the context of an update's modifiers. Consider using an aggregation pipeline with $setField.`,
      );
    }
  });
  return parts;
}

/** Refuses two modifiers of one field, or of a field and one of its parents. */
function refuseConflicts(steps: readonly Step[]): void {
  for (const [i, a] of steps.entries()) {
    for (const b of steps.slice(i + 1)) {
      const shared = Math.min(a.parts.length, b.parts.length);
      if (a.parts.slice(0, shared).every((part, at) => part === b.parts[at])) {
        throw mongoError(
          'ConflictingUpdateOperators',
          `Updating the path '${b.path}' would create a conflict at '${b.parts.slice(0, shared).join('.')}'`,
        );
      }
    }
  }
}

function refuseUnusedFilters(steps: readonly Step[], elementTests: ReadonlyMap<string, unknown>): void {
  const used = new Set(
    steps.flatMap((step) => step.parts.filter((part) => part.startsWith('$[')).map((part) => part.slice(2, -1))),
  );
  for (const name of used) {
    if (name !== '' && !elementTests.has(name))
      throw mongoError(
        'BadValue',
        `No array filter found for identifier '${name}' in path '${steps.find((step) => step.parts.includes(`$[${name}]`))?.path}'`,
      );
  }
  for (const name of elementTests.keys()) {
    if (!used.has(name))
      throw mongoError('FailedToParse', `The array filter for identifier '${name}' was not used in the update`);
  }
}

/** MongoDB adds new fields in this order: by name, positions by number. */
function compareParts(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const [left, right] = [a[i]!, b[i]!];
    if (left === right) continue;
    if (isPosition(left) && isPosition(right)) return Number(left) - Number(right);
    return left < right ? -1 : 1;
  }
  return a.length - b.length;
}

/** Sets a field of the document that an upsert inserts. */
export function setUpsertField(doc: Doc, path: string, value: unknown): void {
  const parts = path.split('.');
  if (parts.length === 1) setField(doc, path, copyValue(value));
  else changeAt(doc, parts, true, () => copyValue(value));
}
