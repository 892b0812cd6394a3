import type { Doc } from '../bson/values.ts';
import { notSupported } from '../errors.ts';
import type { FilterContext } from '../query/parse-filter.ts';

/** Filled later. */
export function compilePipelineUpdate(_pipeline: unknown[], _context: FilterContext): (doc: Doc) => Doc {
  throw notSupported('A pipeline update');
}
