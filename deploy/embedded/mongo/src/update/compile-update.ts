import { copyValue, type Doc, formatValue, isDoc, setField, typeOf } from '../bson/values.ts';
import { mongoError, notSupported } from '../errors.ts';
import { isPosition } from '../query/paths.ts';
import { ARRAY_MODIFIERS } from './array-modifiers.ts';
import { FIELD_MODIFIERS, type ModifierDefinition, type Modify } from './modifiers.ts';

/** How many nulls an update may append to an array to reach an index beyond its end. */
const MAX_PADDING = 1_500_000;

export interface Update {
  kind: 'modifiers' | 'replacement';
  /** Returns the changed document without modifying the given one. `isInsert`: an upsert is inserting it. */
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
 * @throws {CommandError} FailedToParse for an unsupported modifier; MongoDB's codes for invalid operands
 */
export function compileUpdate(update: unknown): Update {
  if (Array.isArray(update)) throw notSupported('An update by a pipeline');
  if (!isDoc(update)) throw mongoError('FailedToParse', 'Update argument must be an object');
  return Object.keys(update)[0]?.startsWith('$') ? compileModifiers(update) : compileReplacement(update);
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

function compileModifiers(update: Doc): Update {
  const steps = Object.entries(update).flatMap(([operator, fields]) => compileOperator(operator, fields));
  refuseConflicts(steps);
  steps.sort((a, b) => compareParts(a.parts, b.parts));
  return {
    kind: 'modifiers',
    apply: (doc, isInsert) => {
      const changed = copyValue(doc);
      for (const { operator, parts, modify, createsPath } of steps) {
        if (operator === '$setOnInsert' && !isInsert) continue;
        changeAt(changed, parts, createsPath, (old) => modify(old, doc._id));
      }
      return changed;
    },
  };
}

function compileOperator(operator: string, fields: unknown): Step[] {
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
    return { operator, path, parts: readParts(path), createsPath, modify: make(operand, path) };
  });
}

function readParts(path: string): string[] {
  const parts = path.split('.');
  if (path === '') throw mongoError('EmptyFieldName', 'An empty update path is not valid.');
  if (parts.includes(''))
    throw mongoError('EmptyFieldName', `The update path '${path}' contains an empty field name, which is not allowed.`);
  parts.forEach((part, i) => {
    if (i > 0 && /^\$(\[\w*\])?$/.test(part)) throw notSupported(`The positional operator ${part}`);
    if (part.startsWith('$') && !['$id', '$ref', '$db'].includes(part)) {
      throw mongoError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${part}' in '${path}' is not allowed in the context of an update's modifiers. Consider using an aggregation pipeline with $setField.`,
      );
    }
  });
  return parts;
}

/** Rejects two modifiers of the same field, or of a field and one of its parents. */
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

/**
 * Changes the value at a path in place. With `createsPath` it creates missing documents on the way. If `change` returns
 * undefined, the field is removed, or set to null in an array.
 * @throws {CommandError} PathNotViable if a scalar is in the way
 */
function changeAt(doc: Doc, parts: readonly string[], createsPath: boolean, change: (old: unknown) => unknown): void {
  let node: unknown = doc;
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    if (!isDoc(node) && !(Array.isArray(node) && isPosition(part))) {
      if (!createsPath) return;
      throw notViable(parts, i, node);
    }
    const old: unknown = isDoc(node)
      ? Object.hasOwn(node, part)
        ? node[part]
        : undefined
      : (node as unknown[])[Number(part)];
    if (isLast) {
      assign(node as Doc | unknown[], part, old, change(old));
      return;
    }
    if (old === undefined && !createsPath) return;
    const next = old === undefined ? {} : old;
    if (old === undefined) assign(node as Doc | unknown[], part, old, next);
    node = next;
  }
}

function assign(node: Doc | unknown[], part: string, old: unknown, value: unknown): void {
  if (Array.isArray(node)) {
    const position = Number(part);
    if (value === undefined && position >= node.length) return;
    if (position - node.length > MAX_PADDING)
      throw mongoError('BadValue', `cannot pad an array by more than ${MAX_PADDING} elements`);
    while (node.length < position) node.push(null);
    node[position] = value ?? null;
  } else if (value === undefined) {
    if (old !== undefined || Object.hasOwn(node, part)) delete node[part];
  } else {
    setField(node, part, value);
  }
}

function notViable(parts: readonly string[], at: number, node: unknown): Error {
  const holder = at === 0 ? 'document' : parts[at - 1];
  const shown = typeOf(node).alias === 'object' ? '{…}' : formatValue(node);
  return mongoError('PathNotViable', `Cannot create field '${parts[at]}' in element {${holder}: ${shown}}`);
}
