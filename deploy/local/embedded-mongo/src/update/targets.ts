import { formatValue } from '../bson/format.ts';
import { typeOf } from '../bson/types.ts';
import { type Doc, isDoc, setField } from '../bson/values.ts';
import { mongoError } from '../errors.ts';
import { isPosition } from '../query/paths.ts';

/** How far beyond its end an update may stretch an array. */
const MAX_PADDING = 1_500_000;

/** What the placeholders of a path stand for. */
export interface Placeholders {
  /** Where the query matched an array, for `$`. */
  position: number | undefined;
  /** Tests of `arrayFilters`, by identifier, for `$[identifier]`. */
  elementTests: Map<string, (element: unknown) => boolean>;
}

/** A path without placeholders for every field that a path with `$`, `$[]` and `$[identifier]` means in a document. */
export function concretePaths(doc: Doc, parts: readonly string[], placeholders: Placeholders): string[][] {
  const at = parts.findIndex((part) => part.startsWith('$'));
  if (at < 0) return [[...parts]];
  const head = parts.slice(0, at);
  const tail = parts.slice(at + 1);
  return positions(doc, head, parts[at]!, placeholders).flatMap((position) =>
    concretePaths(doc, [...head, String(position), ...tail], placeholders),
  );
}

function positions(doc: Doc, head: string[], placeholder: string, { position, elementTests }: Placeholders): number[] {
  if (placeholder === '$') {
    if (position === undefined)
      throw mongoError('BadValue', 'The positional operator did not find the match needed from the query.');
    return [position];
  }
  const array = readPath(doc, head);
  if (!Array.isArray(array)) {
    const problem =
      array === undefined
        ? `The path '${head.join('.')}' must exist in the document in order to apply array updates.`
        : `Cannot apply array updates to non-array element ${head.at(-1)}: ${formatValue(array)}`;
    throw mongoError('BadValue', problem);
  }
  const test = placeholder === '$[]' ? () => true : elementTests.get(placeholder.slice(2, -1));
  return array.flatMap((item: unknown, i) => (test?.(item) ? [i] : []));
}

/** The value at a path of field names and positions. */
export function readPath(doc: unknown, parts: readonly string[]): unknown {
  let node = doc;
  for (const part of parts) {
    if (isDoc(node)) node = Object.hasOwn(node, part) ? node[part] : undefined;
    else if (Array.isArray(node) && isPosition(part)) node = node[Number(part)];
    else return undefined;
  }
  return node;
}

/**
 * Changes the value at a path in place, making the documents on the way where asked. A function that gives undefined
 * removes the field (in an array: sets null). Throws PathNotViable where a scalar is in the way.
 */
export function changeAt(
  doc: Doc,
  parts: readonly string[],
  createsPath: boolean,
  change: (old: unknown) => unknown,
): void {
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
