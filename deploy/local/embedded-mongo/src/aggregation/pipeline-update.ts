import { type Doc, isDoc } from '../bson/values.ts';
import { mongoError } from '../errors.ts';
import type { FilterContext } from '../query/parse-filter.ts';
import { compilePipeline } from './pipeline.ts';

/** The stages that an update may be made of. */
const ALLOWED = ['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith'];

/** Compiles an update that is a pipeline. Throws InvalidOptions for other stages. */
export function compilePipelineUpdate(pipeline: readonly unknown[], context: FilterContext): (doc: Doc) => Doc {
  const stages = pipeline.map((stage) => {
    const name = isDoc(stage) ? Object.keys(stage)[0] : undefined;
    if (!isDoc(stage) || !name || !ALLOWED.includes(name))
      throw mongoError('InvalidOptions', `${name ?? 'This'} is not allowed to be used within an update`);
    return stage;
  });
  const readCollection = (): never => {
    throw mongoError('InvalidOptions', 'An update cannot read other collections');
  };
  const run = compilePipeline(stages, { ...context, variables: context.variables ?? {}, readCollection });
  return (doc) => [...run([doc])][0] ?? doc;
}
