import { compilePipelineUpdate } from '../aggregation/pipeline-update.ts';
import { formatValue } from '../bson/format.ts';
import { copyValue, type Doc, isDoc, setField } from '../bson/values.ts';
import { mongoError } from '../errors.ts';
import type { FilterContext } from '../query/parse-filter.ts';
import { isPosition } from '../query/paths.ts';
import { readArrayFilters } from './array-filters.ts';
import { ARRAY_MODIFIERS } from './array-modifiers.ts';
import { FIELD_MODIFIERS, type ModifierDefinition, type Modify } from './modifiers.ts';
import { changeAt, concretePaths, type Placeholders, readPath } from './targets.ts';

/** What an update knows of the document besides its content. */
export interface UpdateSituation {
  /** Where the query matched an array. */
  position: number | undefined;
  /** Whether the document is being inserted by an upsert. */
  isInsert: boolean;
}

/** A compiled update: gives the changed document, and leaves the given one as it is. */
export interface Update {
  kind: 'modifiers' | 'replacement' | 'pipeline';
  apply: (doc: Doc, situation: UpdateSituation) => Doc;
}

const MODIFIERS: Record<string, ModifierDefinition> = { ...FIELD_MODIFIERS, ...ARRAY_MODIFIERS };

interface Step {
  operator: string;
  path: string;
  parts: string[];
  createsPath: boolean;
  modify: Modify;
}

/** Compiles the `u` of an update. Throws FailedToParse for modifiers that do not exist, and MongoDB's errors for the rest. */
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
    apply: (doc, { position, isInsert }) => {
      const changed = copyValue(doc);
      const placeholders: Placeholders = { position, elementTests };
      for (const step of steps) {
        const { parts, path, modify, createsPath } = step;
        if (step.operator === '$setOnInsert' && !isInsert) continue;
        if (step.operator === '$rename') {
          renameField(changed, step);
          continue;
        }
        for (const concrete of concretePaths(changed, parts, placeholders)) {
          changeAt(changed, concrete, createsPath, (old) => modify(old, { path, id: doc._id, isInsert }));
        }
      }
      return changed;
    },
  };
}

function compileOperator(operator: string, fields: unknown, context: FilterContext): Step[] {
  const definition = MODIFIERS[operator];
  if (!definition && operator !== '$rename') {
    throw mongoError(
      'FailedToParse',
      `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  if (!isDoc(fields)) {
    throw mongoError(
      'FailedToParse',
      `Modifiers operate on fields but we found type ${typeof fields} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${formatValue(fields)}}`,
    );
  }
  return Object.entries(fields).flatMap(([path, operand]) => {
    const parts = readParts(path);
    if (definition)
      return [
        { operator, path, parts, createsPath: definition.createsPath, modify: definition.make(operand, path, context) },
      ];
    return compileRename(path, parts, operand);
  });
}

/** A rename touches two paths; the step of the new name does the work, the other only takes part in conflicts. */
function compileRename(path: string, parts: string[], operand: unknown): Step[] {
  if (typeof operand !== 'string')
    throw mongoError('BadValue', `The 'to' field for $rename must be a string: ${path}: ${formatValue(operand)}`);
  const to = readParts(operand);
  if (path === operand)
    throw mongoError('BadValue', `The source and target field for $rename must differ: ${path}: "${operand}"`);
  if ([...parts, ...to].some((part) => part.startsWith('$')))
    throw mongoError('BadValue', `The source and target field for $rename may not be dynamic: ${path}`);
  const source: Step = { operator: '$rename', path, parts, createsPath: false, modify: () => undefined };
  return [source, { operator: '$rename', path: operand, parts: to, createsPath: true, modify: () => parts }];
}

/** Only the step of the new name (it makes its path) moves the value. */
function renameField(doc: Doc, { parts: to, createsPath, modify }: Step): void {
  if (!createsPath) return;
  const from = modify(undefined, { path: '', id: undefined, isInsert: false }) as string[];
  for (const path of [from, to]) {
    const crossed = path.slice(0, -1).findIndex((_, i) => Array.isArray(readPath(doc, path.slice(0, i + 1))));
    if (crossed >= 0)
      throw mongoError(
        'BadValue',
        `The source and target field for $rename cannot be an array element: '${path.join('.')}'`,
      );
  }
  const value = readPath(doc, from);
  if (value === undefined) return;
  changeAt(doc, from, false, () => undefined);
  changeAt(doc, to, true, () => value);
}

function readParts(path: string): string[] {
  const parts = path.split('.');
  if (path === '') throw mongoError('EmptyFieldName', 'An empty update path is not valid.');
  if (parts.includes(''))
    throw mongoError('EmptyFieldName', `The update path '${path}' contains an empty field name, which is not allowed.`);
  parts.forEach((part, i) => {
    const isPlaceholder = i > 0 && /^\$(\[[a-z0-9]*[a-zA-Z0-9]*\])?$/.test(part);
    if (part.startsWith('$') && !isPlaceholder && !['$id', '$ref', '$db'].includes(part)) {
      throw mongoError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${part}' in '${path}' is not allowed in the context of an update's modifiers. Consider using an aggregation pipeline with $setField.`,
      );
    }
  });
  return parts;
}

/** Two modifiers may not touch the same field, or one above the other. */
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

function refuseUnusedFilters(steps: readonly Step[], elementTests: Map<string, unknown>): void {
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

/** New fields are added in this order: by name, positions by number. */
function compareParts(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const [left, right] = [a[i]!, b[i]!];
    if (left === right) continue;
    if (isPosition(left) && isPosition(right)) return Number(left) - Number(right);
    return left < right ? -1 : 1;
  }
  return a.length - b.length;
}

/** Sets a field of a document that an upsert is making. */
export function setUpsertField(doc: Doc, path: string, value: unknown): void {
  const parts = path.split('.');
  if (parts.length === 1) setField(doc, path, copyValue(value));
  else changeAt(doc, parts, true, () => copyValue(value));
}
