import { Int32 } from 'bson';
import { splitPipeline } from '../aggregate-documents.ts';
import { type Doc, isDoc } from '../bson/values.ts';
import { type CommandContext, collectionName } from '../engine.ts';
import { mongoError, notSupported } from '../errors.ts';
import { countDocuments, type FindRequest, findDocuments } from '../find-documents.ts';
import type { ExecutionStats } from '../planner/execute.ts';
import { type Plan, planQuery } from '../planner/plan.ts';
import type { Collection } from '../storage/collection.ts';
import type { CommandTable } from './definition.ts';
import { readAggregate, readFind } from './read-commands.ts';

/** Parses a command into the query it would run, and whether it only counts. */
type ReadRequest = (command: Doc, context: CommandContext) => { find: FindRequest; counts?: boolean };

const EXPLAINABLE: Record<string, ReadRequest> = {
  find: (command) => ({ find: readFind(command).request }),
  count: (command) => ({ find: readFind({ ...command, filter: command.query ?? {} }).request, counts: true }),
  aggregate: (command, context) => ({ find: splitPipeline(readAggregate(command, context).pipeline).find }),
};

/** Plans a command and executes its reads, without changing anything. */
function explain(command: Doc, context: CommandContext): Doc {
  const inner = command.explain;
  if (!isDoc(inner))
    throw mongoError('TypeMismatch', "BSON field 'explain.explain' is the wrong type, expected type 'object'");
  const [name = ''] = Object.keys(inner);
  const read = Object.hasOwn(EXPLAINABLE, name) ? EXPLAINABLE[name] : undefined;
  if (!read) throw notSupported(`The explanation of ${name}`);
  const { find, counts } = read(inner, context);
  const collection = context.engine.catalog.find(context.db, collectionName(inner, name));
  const namespace = `${context.db}.${collectionName(inner, name)}`;
  if (!collection) return { queryPlanner: { namespace, winningPlan: { stage: 'EOF' }, rejectedPlans: [] } };
  const plan = planQuery(collection, find);
  const queryPlanner = { namespace, winningPlan: describePlan(plan), rejectedPlans: [] };
  if (command.verbosity === 'queryPlanner') return { queryPlanner };
  return { queryPlanner, executionStats: measure(collection, find, plan, counts === true) };
}

function measure(collection: Collection, find: FindRequest, plan: Plan, counts: boolean): Doc {
  const stats: ExecutionStats = { keysExamined: 0, docsExamined: 0 };
  const nReturned = counts
    ? countDocuments(collection, find, plan, stats)
    : [...findDocuments(collection, find, plan, stats)].length;
  return {
    executionSuccess: true,
    nReturned: new Int32(nReturned),
    totalKeysExamined: new Int32(stats.keysExamined),
    totalDocsExamined: new Int32(stats.docsExamined),
  };
}

/** A plan in MongoDB's format, but without a stage for fetching documents. */
function describePlan(plan: Plan): Doc {
  const access = describeAccess(plan);
  return plan.providesSort ? access : { stage: 'SORT', inputStage: access };
}

function describeAccess(plan: Plan): Doc {
  switch (plan.kind) {
    case 'collection':
      return { stage: 'COLLSCAN', direction: plan.direction === 1 ? 'forward' : 'backward' };
    case 'union':
      return { stage: 'OR', inputStages: plan.plans.map(describeAccess) };
    case 'index':
      return {
        stage: 'IXSCAN',
        keyPattern: plan.index.spec.key,
        indexName: plan.index.name,
        isMultiKey: plan.index.multikey.includes(true),
        isUnique: plan.index.unique,
        direction: plan.order.direction === 1 ? 'forward' : 'backward',
        ranges: new Int32(plan.ranges.length),
      };
  }
}

export const EXPLAIN_COMMANDS: CommandTable = { explain: { fields: ['verbosity'], run: explain } };
