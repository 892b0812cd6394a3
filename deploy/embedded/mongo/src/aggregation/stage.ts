import type { Doc } from '../bson/values.ts';

/** Documents on their way from one stage to the next. */
export type Documents = Iterable<Doc>;

/** A compiled stage or pipeline. */
export type RunStage = (documents: Documents) => Documents;
