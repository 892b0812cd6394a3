import type { Doc } from '../bson/values.ts';
import { CommandError, locationError, notSupported } from '../errors.ts';
import { DOCUMENT_STAGES } from './document-stages.ts';
import { GROUP_STAGES } from './group-stages.ts';
import { JOIN_STAGES } from './join-stages.ts';
import type { CompileStage, RunStage, StageContext } from './stage.ts';

/** Real stages that are not done here. */
const KNOWN_ELSEWHERE = new Set([
  '$bucketAuto',
  '$changeStream',
  '$changeStreamSplitLargeEvent',
  '$collStats',
  '$currentOp',
  '$densify',
  '$documents',
  '$fill',
  '$geoNear',
  '$graphLookup',
  '$indexStats',
  '$listLocalSessions',
  '$listSearchIndexes',
  '$listSessions',
  '$merge',
  '$out',
  '$planCacheStats',
  '$querySettings',
  '$redact',
  '$search',
  '$searchMeta',
  '$setWindowFields',
  '$vectorSearch',
]);

const STAGES = new Map(Object.entries<CompileStage>({ ...DOCUMENT_STAGES, ...GROUP_STAGES, ...JOIN_STAGES }));

/** Compiles a pipeline. Throws code 40324 for a stage that does not exist. */
export function compilePipeline(pipeline: readonly Doc[], given: Omit<StageContext, 'compilePipeline'>): RunStage {
  const context: StageContext = { ...given, compilePipeline };
  const stages = pipeline.map((stage) => compileStage(stage, context));
  return (documents) => stages.reduce((current, run) => run(current), documents);
}

function compileStage(stage: Doc, context: StageContext): RunStage {
  const [name = '', ...more] = Object.keys(stage);
  if (name === '' || more.length > 0)
    throw locationError(40323, 'A pipeline stage specification object must contain exactly one field.');
  const compile = STAGES.get(name);
  if (compile) return compile(stage[name], context);
  if (name === '$changeStream') throw locationError(40573, 'The $changeStream stage is only supported on replica sets');
  if (KNOWN_ELSEWHERE.has(name)) throw notSupported(`The stage ${name}`);
  throw new CommandError(40324, 'Location40324', `Unrecognized pipeline stage name: '${name}'`);
}
