import { type Doc, isDoc } from '../bson/values.ts';

/** Stands for a field that a document does not have. */
export const MISSING: unique symbol = Symbol('missing');

/** Where a query matched inside an array: the position that `$` stands for in updates and projections. */
export interface MatchDetails {
  position?: number;
}

/** Whether a part of a path is an array position. */
export const isPosition = (part: string): boolean => /^(0|[1-9]\d*)$/.test(part);

/** Is shown the values at a path, one after the other, until it returns true. */
type Visit = (value: unknown) => boolean;

/**
 * Shows a visitor the values that a query's path reaches: through arrays of documents, by position, and, where
 * `expandLeaf`, each element of an array at its end and then the array itself. Returns whether a visit returned true.
 */
export function anyValue(
  doc: Doc,
  parts: readonly string[],
  expandLeaf: boolean,
  visit: Visit,
  details?: MatchDetails,
): boolean {
  return walk(doc, 0);

  function walk(node: unknown, at: number): boolean {
    const part = parts[at]!;
    if (!isDoc(node)) return visit(MISSING);
    const child = Object.hasOwn(node, part) ? node[part] : MISSING;
    if (at === parts.length - 1) return leaf(child);
    return Array.isArray(child) ? walkArray(child, at + 1) : walk(child, at + 1);
  }

  function walkArray(array: unknown[], at: number): boolean {
    const found = array.findIndex((item) => isDoc(item) && walk(item, at));
    if (found >= 0) return matchedAt(found);
    const part = parts[at]!;
    if (!isPosition(part) || Number(part) >= array.length) return false;
    const item = array[Number(part)];
    if (at === parts.length - 1) return leaf(item);
    return Array.isArray(item) ? walkArray(item, at + 1) : isDoc(item) && walk(item, at + 1);
  }

  function leaf(value: unknown): boolean {
    if (expandLeaf && Array.isArray(value)) {
      const found = value.findIndex((item) => visit(item));
      if (found >= 0) return matchedAt(found);
    }
    return visit(value);
  }

  /** The outermost array is left last, so its position is the one that stays. */
  function matchedAt(position: number): boolean {
    if (details) details.position = position;
    return true;
  }
}
