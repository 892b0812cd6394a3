import type { Doc } from '../bson/values.ts';
import type { FilterContext } from '../query/parse-filter.ts';

/** Documents on their way from one stage to the next. */
export type Documents = Iterable<Doc>;

/** A compiled stage. */
export type RunStage = (documents: Documents) => Documents;

/** Reads another collection of the same database with a pipeline, for `$lookup` and `$unionWith`. */
export type ReadCollection = (name: string, pipeline: readonly Doc[], variables: Doc) => Documents;

/** What stages depend on besides their arguments. */
export interface StageContext extends FilterContext {
  variables: Doc;
  readCollection: ReadCollection;
  /** Compiles a pipeline within a stage. */
  compilePipeline: (pipeline: readonly Doc[], context: StageContext) => RunStage;
}

/** Compiles a stage's argument. Throws MongoDB's errors where it does not fit. */
export type CompileStage = (argument: unknown, context: StageContext) => RunStage;
