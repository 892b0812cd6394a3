import { type Doc, isDoc } from '../bson/values.ts';

/** Represents a field that a document doesn't have. */
export const MISSING: unique symbol = Symbol('missing');

/** Whether a path segment is an array index. */
export function isPosition(part: string): boolean {
  return /^(0|[1-9]\d*)$/.test(part);
}

/**
 * Tests the values that a query's path reaches, through arrays of documents and by index. With `expandLeaf`, an array
 * at the end of the path is tested by element and as a whole. Returns whether the test accepts any value.
 */
export function anyValue(
  doc: Doc,
  parts: readonly string[],
  expandLeaf: boolean,
  test: (value: unknown) => boolean,
): boolean {
  return walk(doc, 0);

  function walk(node: unknown, at: number): boolean {
    const part = parts[at]!;
    if (!isDoc(node)) return test(MISSING);
    const child = Object.hasOwn(node, part) ? node[part] : MISSING;
    if (at === parts.length - 1) return leaf(child);
    return Array.isArray(child) ? walkArray(child, at + 1) : walk(child, at + 1);
  }

  function walkArray(array: unknown[], at: number): boolean {
    if (array.some((item) => isDoc(item) && walk(item, at))) return true;
    const part = parts[at]!;
    if (!isPosition(part) || Number(part) >= array.length) return false;
    const item = array[Number(part)];
    if (at === parts.length - 1) return leaf(item);
    return Array.isArray(item) ? walkArray(item, at + 1) : isDoc(item) && walk(item, at + 1);
  }

  function leaf(value: unknown): boolean {
    return (expandLeaf && Array.isArray(value) && value.some(test)) || test(value);
  }
}
