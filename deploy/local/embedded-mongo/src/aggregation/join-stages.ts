import { BSONRegExp } from 'bson';
import { type Doc, isDoc } from '../bson/values.ts';
import { locationError, mongoError } from '../errors.ts';
import { setComputed } from '../query/projection.ts';
import { compileExpression, valueAtPath } from './expression.ts';
import type { CompileStage } from './stage.ts';

/** The documents of a pipeline. Throws FailedToParse. */
export function readPipeline(value: unknown, name: string): Doc[] {
  if (!Array.isArray(value) || !value.every(isDoc))
    throw mongoError('TypeMismatch', `${name} must be an array of objects`);
  return value;
}

const LOOKUP_FIELDS = ['from', 'localField', 'foreignField', 'let', 'pipeline', 'as'];

const lookup: CompileStage = (argument, context) => {
  if (!isDoc(argument)) throw mongoError('FailedToParse', 'the $lookup specification must be an object');
  const unknown = Object.keys(argument).find((field) => !LOOKUP_FIELDS.includes(field));
  if (unknown) throw mongoError('FailedToParse', `unknown argument to $lookup: ${unknown}`);
  const { from, localField, foreignField, as } = argument;
  if (typeof from !== 'string' || typeof as !== 'string')
    throw mongoError('FailedToParse', "$lookup needs 'from' and 'as'");
  const hasFields = typeof localField === 'string' && typeof foreignField === 'string';
  if (!hasFields && (localField !== undefined || foreignField !== undefined || argument.pipeline === undefined)) {
    throw mongoError(
      'FailedToParse',
      "$lookup requires both or neither of 'localField' and 'foreignField', and without them a 'pipeline'",
    );
  }
  const pipeline = argument.pipeline === undefined ? [] : readPipeline(argument.pipeline, "$lookup's pipeline");
  const bindings = Object.entries(isDoc(argument.let) ? argument.let : {}).map(
    ([name, value]) => [name, compileExpression(value, context)] as const,
  );
  return function* (documents) {
    for (const doc of documents) {
      const variables = { ...context.variables };
      for (const [name, evaluate] of bindings) variables[name] = evaluate(doc);
      const equality = hasFields
        ? [{ $match: joinCondition(foreignField, valueAtPath(doc, localField.split('.'))) }]
        : [];
      const result = { ...doc };
      setComputed(result, as.split('.'), [...context.readCollection(from, [...equality, ...pipeline], variables)]);
      yield result;
    }
  };
};

/** A foreign field equals the local value, or one of its elements; a missing one counts as null. */
function joinCondition(foreignField: string, local: unknown): Doc {
  const values: unknown[] = Array.isArray(local) ? local : [local ?? null];
  // A regular expression within $in would be matched, not compared.
  if (values.some((value) => value instanceof BSONRegExp))
    return { $or: values.map((value) => ({ [foreignField]: { $eq: value } })) };
  return { [foreignField]: { $in: values.map((value) => value ?? null) } };
}

const unionWith: CompileStage = (argument, context) => {
  const name = isDoc(argument) ? argument.coll : argument;
  const pipeline =
    isDoc(argument) && argument.pipeline !== undefined ? readPipeline(argument.pipeline, "$unionWith's pipeline") : [];
  if (typeof name !== 'string') throw mongoError('FailedToParse', '$unionWith needs the name of a collection');
  return function* (documents) {
    yield* documents;
    yield* context.readCollection(name, pipeline, context.variables);
  };
};

const facet: CompileStage = (argument, context) => {
  if (!isDoc(argument) || Object.keys(argument).length === 0)
    throw locationError(40169, 'the $facet specification must be a non-empty object');
  const branches = Object.entries(argument).map(([name, value]) => {
    const pipeline = readPipeline(value, `The facet ${name}`);
    if (pipeline.some((stage) => '$facet' in stage))
      throw locationError(40600, '$facet is not allowed to be used within a $facet stage');
    return { name, run: context.compilePipeline(pipeline, context) };
  });
  return function* (documents) {
    const all = [...documents];
    yield Object.fromEntries(branches.map(({ name, run }) => [name, [...run(all)]]));
  };
};

/** Stages that hold pipelines of their own. */
export const JOIN_STAGES: Record<string, CompileStage> = { $lookup: lookup, $unionWith: unionWith, $facet: facet };
