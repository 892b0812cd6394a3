import type { Filter } from '../query/parse-filter.ts';

export type PathFilter = Extract<Filter, { kind: 'path' }>;

/** Predicates that must all match. */
export interface Conjunction {
  predicates: PathFilter[];
  /** Whether the predicates make up the whole filter, so that nothing else needs testing. */
  isWhole: boolean;
}

const MAX_BRANCHES = 32;

/** Splits a filter into conjunctions, one of which must match. Without `$or` there is a single one. */
export function toConjunctions(filter: Filter): Conjunction[] {
  const { predicates, alternatives, hasOpaque } = flatten(filter);
  const [chosen, ...others] = alternatives;
  if (!chosen || chosen.length > MAX_BRANCHES) {
    return [{ predicates, isWhole: !hasOpaque && alternatives.length === 0 }];
  }
  return chosen.map((branch) => {
    const inner = flatten(branch);
    const isWhole = !hasOpaque && others.length === 0 && !inner.hasOpaque && inner.alternatives.length === 0;
    return { predicates: [...predicates, ...inner.predicates], isWhole };
  });
}

/** Flattens nested conjunctions. */
function flatten(filter: Filter): { predicates: PathFilter[]; alternatives: Filter[][]; hasOpaque: boolean } {
  switch (filter.kind) {
    case 'path':
      return { predicates: [filter], alternatives: [], hasOpaque: false };
    case 'or':
      return { predicates: [], alternatives: [filter.children], hasOpaque: false };
    case 'opaque':
      return { predicates: [], alternatives: [], hasOpaque: true };
    case 'and': {
      const parts = filter.children.map(flatten);
      return {
        predicates: parts.flatMap((part) => part.predicates),
        alternatives: parts.flatMap((part) => part.alternatives),
        hasOpaque: parts.some((part) => part.hasOpaque),
      };
    }
  }
}
