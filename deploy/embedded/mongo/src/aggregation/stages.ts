import { encodeKey } from '../bson/key-encoding.ts';
import { type Doc, isDoc, isNumber, setField, toNumber } from '../bson/values.ts';
import { locationError, notSupported } from '../errors.ts';
import { type FilterContext, parseFilter } from '../query/parse-filter.ts';
import { compileProjection, setComputed } from '../query/projection.ts';
import { readSort, sortBy } from '../query/sort.ts';
import { type Accumulator, compileAccumulator } from './accumulators.ts';
import { compileExpression, refuseDollar } from './expression.ts';
import type { Evaluate, ExpressionContext } from './expression-types.ts';
import type { RunStage } from './stage.ts';

/**
 * Compiles `$group`.
 * @throws {CommandError} MongoDB's codes for an invalid specification; CommandNotSupported under a collation
 */
function compileGroup(argument: unknown, context: ExpressionContext): RunStage {
  if (!isDoc(argument)) throw locationError(15947, "a group's fields must be specified in an object");
  if (!('_id' in argument)) throw locationError(15955, 'a group specification must include an _id');
  if (context.compareStrings) throw notSupported('$group under a collation');
  const { _id: id, ...given } = argument;
  const readId = compileExpression(id, context);
  const fields = Object.entries(given).map(([name, value]) => compileAccumulator(name, value, context));
  return function* (documents) {
    const groups = new Map<string, { _id: unknown; accumulators: Accumulator[] }>();
    for (const doc of documents) {
      const _id = readId(doc) ?? null;
      const key = encodeKey(_id).toString('latin1');
      let found = groups.get(key);
      if (!found) {
        found = { _id, accumulators: fields.map(({ start }) => start()) };
        groups.set(key, found);
      }
      for (const [i, { evaluate }] of fields.entries()) found.accumulators[i]!.add(evaluate(doc));
    }
    for (const { _id, accumulators } of groups.values()) {
      const result: Doc = { _id };
      for (const [i, { name }] of fields.entries()) setField(result, name, accumulators[i]!.result());
      yield result;
    }
  };
}

/**
 * Compiles a stage's argument.
 *
 * @throws MongoDB's error where the argument is invalid
 */
type CompileStage = (argument: unknown, context: FilterContext) => RunStage;

/** A stage that turns each document into one other. */
function mapping(change: (doc: Doc) => Doc): RunStage {
  return function* (documents) {
    for (const doc of documents) yield change(doc);
  };
}

function requireDoc(value: unknown, name: string, code: number): Doc {
  if (!isDoc(value)) throw locationError(code, `the ${name} stage specification must be an object`);
  return value;
}

function addFields(name: string): CompileStage {
  return (argument, context) => {
    const fields: { parts: string[]; evaluate: Evaluate }[] = [];
    readFields(requireDoc(argument, name, 40272), []);
    if (fields.length === 0)
      throw locationError(40177, `Invalid ${name} :: caused by :: specification must have at least one field`);
    return mapping((doc) => {
      const result = { ...doc };
      for (const { parts, evaluate } of fields) setComputed(result, parts, evaluate(doc));
      return result;
    });

    function readFields(spec: Doc, prefix: string[]): void {
      for (const [key, value] of Object.entries(spec)) {
        refuseDollar(key);
        const parts = [...prefix, ...key.split('.')];
        if (parts.includes(''))
          throw locationError(40353, "FieldPath must not end with a '.' or have empty field names.");
        const isNested = isDoc(value) && Object.keys(value).length > 0 && !Object.keys(value)[0]!.startsWith('$');
        if (isNested) readFields(value, parts);
        else fields.push({ parts, evaluate: compileExpression(value, context) });
      }
    }
  };
}

function project(argument: unknown, context: FilterContext): RunStage {
  const spec = requireDoc(argument, '$project', 15969);
  if (Object.keys(spec).length === 0)
    throw locationError(
      51272,
      'Invalid $project :: caused by :: projection specification must have at least one field',
    );
  return mapping(compileProjection(spec, context));
}

function unset(argument: unknown, context: FilterContext): RunStage {
  const paths: unknown[] = Array.isArray(argument) ? argument : [argument];
  if (paths.length === 0 || !paths.every((path) => typeof path === 'string' && path !== '')) {
    throw locationError(31002, '$unset specification must be a string or an array');
  }
  return project(Object.fromEntries(paths.map((path) => [path, false])), context);
}

function replaceWith(argument: unknown, context: FilterContext): RunStage {
  const evaluate = compileExpression(argument, context);
  return mapping((doc) => {
    const value = evaluate(doc);
    if (!isDoc(value)) throw locationError(40228, "'newRoot' expression must evaluate to an object");
    return value;
  });
}

function match(argument: unknown, context: FilterContext): RunStage {
  const filter = parseFilter(requireDoc(argument, '$match', 15959), context);
  return function* (documents) {
    for (const doc of documents) if (filter.test(doc)) yield doc;
  };
}

function sort(argument: unknown, { compareStrings }: FilterContext): RunStage {
  const fields = readSort(argument);
  if (fields.length === 0) throw locationError(15976, '$sort stage must have at least one sort key');
  return (documents) => sortBy(documents, fields, (doc) => ({ doc, sizeBytes: 0 }), { compareStrings });
}

function readCount(argument: unknown, name: string, min: number): number {
  const count = isNumber(argument) ? toNumber(argument) : Number.NaN;
  if (!Number.isInteger(count)) throw locationError(2107201, `invalid argument to ${name} stage: Expected an integer`);
  if (count < min)
    throw locationError(15958, `the argument to ${name} must be ${min > 0 ? 'positive' : 'non-negative'}`);
  return count;
}

function skip(argument: unknown): RunStage {
  const count = readCount(argument, '$skip', 0);
  return function* (documents) {
    let position = 0;
    for (const doc of documents) if (position++ >= count) yield doc;
  };
}

function limit(argument: unknown): RunStage {
  const count = readCount(argument, '$limit', 1);
  return function* (documents) {
    let position = 0;
    for (const doc of documents) {
      yield doc;
      if (++position >= count) return;
    }
  };
}

/** The stages that the server has, by name. */
export const STAGES = new Map<string, CompileStage>([
  ['$match', match],
  ['$addFields', addFields('$addFields')],
  ['$set', addFields('$set')],
  ['$project', project],
  ['$unset', unset],
  ['$replaceWith', replaceWith],
  ['$replaceRoot', (argument, context) => replaceWith(requireDoc(argument, '$replaceRoot', 40229).newRoot, context)],
  ['$group', compileGroup],
  ['$sort', sort],
  ['$skip', skip],
  ['$limit', limit],
]);
