import { formatValue } from '../bson/format.ts';
import { typeOf } from '../bson/types.ts';
import { type Doc, isDoc, setField } from '../bson/values.ts';
import { mongoError } from '../errors.ts';
import { isPosition } from '../query/paths.ts';

/** How many nulls an update may add to an array to reach a position beyond its end. */
const MAX_PADDING = 1_500_000;

/**
 * Changes the value at a path in place. With `createsPath` it creates the documents on the way. If `change` returns
 * undefined, the field is removed, or in an array set to null.
 * @throws {CommandError} PathNotViable where a scalar is in the way
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
