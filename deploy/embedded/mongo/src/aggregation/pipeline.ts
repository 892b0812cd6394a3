import { type Doc, isDoc } from '../bson/values.ts';
import { locationError, mongoError } from '../errors.ts';
import type { FilterContext } from '../query/parse-filter.ts';
import type { RunStage } from './stage.ts';
import { STAGES } from './stages.ts';

/**
 * Compiles a pipeline.
 * @throws {CommandError} 40324 for a stage that this server does not have; MongoDB's codes for invalid arguments
 */
export function compilePipeline(pipeline: readonly Doc[], context: FilterContext): RunStage {
  const stages = pipeline.map((stage) => compileStage(stage, context));
  return (documents) => stages.reduce((current, run) => run(current), documents);
}

function compileStage(stage: Doc, context: FilterContext): RunStage {
  const [name = '', ...more] = Object.keys(stage);
  if (name === '' || more.length > 0)
    throw locationError(40323, 'A pipeline stage specification object must contain exactly one field.');
  const compile = STAGES.get(name);
  if (compile) return compile(stage[name], context);
  if (name === '$changeStream') throw locationError(40573, 'The $changeStream stage is only supported on replica sets');
  const supported = [...STAGES.keys()].join(', ');
  throw locationError(40324, `Unrecognized pipeline stage name: '${name}'. The embedded server supports ${supported}.`);
}

const UPDATE_STAGES = ['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith'];

/**
 * Compiles an update that is a pipeline.
 * @throws {CommandError} InvalidOptions for a stage that updates may not have
 */
export function compilePipelineUpdate(pipeline: readonly unknown[], context: FilterContext): (doc: Doc) => Doc {
  const stages = pipeline.map((stage) => {
    const name = isDoc(stage) ? Object.keys(stage)[0] : undefined;
    if (!isDoc(stage) || !name || !UPDATE_STAGES.includes(name))
      throw mongoError('InvalidOptions', `${name ?? 'This'} is not allowed to be used within an update`);
    return stage;
  });
  const run = compilePipeline(stages, context);
  return (doc) => [...run([doc])][0] ?? doc;
}
