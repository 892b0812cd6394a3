import { Double, Int32 } from 'bson';
import { compareValues } from '../bson/compare.ts';
import { encodeKey } from '../bson/key-encoding.ts';
import { add, type BsonNumber, type Doc, getField, isDoc, isNumber, setField, toNumber } from '../bson/values.ts';
import { locationError, mongoError } from '../errors.ts';
import { parseFilter } from '../query/parse-filter.ts';
import { readSort, sortBy } from '../query/sort.ts';

/** Evaluates to a value for a document. A missing value is undefined. */
type Evaluate = (doc: Doc) => unknown;

/**
 * Compiles an aggregation expression: a path, a constant, or `$ifNull` of those.
 * @throws {CommandError} 168 for an unsupported operator; MongoDB's codes for invalid arguments and paths
 */
function compileExpression(expression: unknown): Evaluate {
  if (typeof expression === 'string' && expression.startsWith('$')) return compilePath(expression);
  if (expression === null || typeof expression === 'string' || isNumber(expression)) return () => expression;
  const [name = ''] = isDoc(expression) ? Object.keys(expression) : [];
  if (!isDoc(expression) || name !== '$ifNull')
    throw mongoError(
      'InvalidPipelineOperator',
      `Unrecognized expression '${name}'. The embedded server supports paths, constants and $ifNull.`,
    );
  if (Object.keys(expression).length > 1)
    throw locationError(15983, 'An object representing an expression must have exactly one field');
  const given: unknown = expression.$ifNull;
  if (!Array.isArray(given) || given.length < 2) throw locationError(1257300, '$ifNull needs at least two arguments');
  const items = given.map(compileExpression);
  return (doc) => {
    let value: unknown;
    for (const item of items) {
      value = item(doc);
      if (value !== null && value !== undefined) break;
    }
    return value;
  };
}

function compilePath(text: string): Evaluate {
  const parts = text.slice(1).split('.');
  if (text === '$') throw locationError(16872, "'$' by itself is not a valid FieldPath");
  if (parts.includes('')) throw locationError(15998, 'FieldPath field names may not be empty strings.');
  if (parts.some((part) => part.startsWith('$')))
    throw locationError(16410, "FieldPath field names may not start with '$'. The embedded server has no variables.");
  return (doc) => valueAtPath(doc, parts);
}

/** Expression paths map over arrays: they don't support positions, and skip elements that lack the field. */
function valueAtPath(value: unknown, parts: readonly string[], from = 0): unknown {
  if (from === parts.length) return value;
  if (isDoc(value)) return valueAtPath(getField(value, parts[from]!), parts, from + 1);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item: unknown) => {
    const found = isDoc(item) ? valueAtPath(item, parts, from) : undefined;
    return found === undefined ? [] : [found];
  });
}

/** Accumulates the values of one group. */
interface Accumulator {
  add: (value: unknown) => void;
  result: () => unknown;
}

const ACCUMULATORS = new Map<string, () => Accumulator>([
  ['$sum', sum],
  ['$min', () => extreme(-1)],
  ['$max', () => extreme(1)],
]);

/** A computed field of `$group`. */
interface GroupField {
  name: string;
  evaluate: Evaluate;
  /** Creates the empty accumulator of a new group. */
  start: () => Accumulator;
}

/** A compiled stage or pipeline: transforms a stream of documents. */
type RunStage = (documents: Iterable<Doc>) => Iterable<Doc>;

/**
 * Compiles `$group`.
 * @throws {CommandError} MongoDB's codes for an invalid specification
 */
function compileGroup(argument: unknown): RunStage {
  if (!isDoc(argument)) throw locationError(15947, "a group's fields must be specified in an object");
  if (!('_id' in argument)) throw locationError(15955, 'a group specification must include an _id');
  const { _id: id, ...given } = argument;
  const readId = compileExpression(id);
  const fields = Object.entries(given).map(([name, value]) => compileAccumulator(name, value));
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

function match(argument: unknown): RunStage {
  if (!isDoc(argument)) throw locationError(15959, 'the match filter must be an expression in an object');
  const filter = parseFilter(argument);
  return function* (documents) {
    for (const doc of documents) if (filter.test(doc)) yield doc;
  };
}

function sort(argument: unknown): RunStage {
  const fields = readSort(argument);
  if (fields.length === 0) throw locationError(15976, '$sort stage must have at least one sort key');
  return (documents) => sortBy(documents, fields, (doc) => ({ doc, sizeBytes: 0 }));
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

/** The supported stages by name. */
const STAGES = new Map<string, (argument: unknown) => RunStage>([
  ['$match', match],
  ['$group', compileGroup],
  ['$sort', sort],
  ['$skip', skip],
  ['$limit', limit],
]);

/**
 * Compiles a pipeline.
 * @throws {CommandError} 40324 for an unsupported stage; MongoDB's codes for invalid arguments
 */
export function compilePipeline(pipeline: readonly Doc[]): RunStage {
  const stages = pipeline.map(compileStage);
  return (documents) => stages.reduce((current, run) => run(current), documents);
}

function compileStage(stage: Doc): RunStage {
  const [name = '', ...more] = Object.keys(stage);
  if (name === '' || more.length > 0)
    throw locationError(40323, 'A pipeline stage specification object must contain exactly one field.');
  const compile = STAGES.get(name);
  if (compile) return compile(stage[name]);
  if (name === '$changeStream') throw locationError(40573, 'The $changeStream stage is only supported on replica sets');
  const supported = [...STAGES.keys()].join(', ');
  throw locationError(40324, `Unrecognized pipeline stage name: '${name}'. The embedded server supports ${supported}.`);
}

/** Sums integers exactly, and doubles with Kahan-Neumaier compensation, as MongoDB does. */
function sum(): Accumulator {
  let integer: BsonNumber = new Int32(0);
  let double = 0;
  let compensation = 0;
  let hasDouble = false;

  function addDouble(value: number): void {
    hasDouble = true;
    const next = double + value;
    if (Number.isFinite(next))
      compensation += Math.abs(double) >= Math.abs(value) ? double - next + value : value - next + double;
    double = next;
  }

  return {
    add(value) {
      if (!isNumber(value)) return;
      if (value instanceof Double) addDouble(value.value);
      else {
        const next = add(integer, value);
        if (next instanceof Double) addDouble(toNumber(value));
        else integer = next;
      }
    },
    result() {
      return hasDouble ? new Double(toNumber(integer) + double + compensation) : integer;
    },
  };
}

/** Keeps the greatest value (`sign` 1) or the least (-1). Null and missing values are ignored. */
function extreme(sign: 1 | -1): Accumulator {
  let kept: unknown = null;
  return {
    add(value) {
      if (value === null || value === undefined) return;
      if (kept === null || compareValues(value, kept) * sign > 0) kept = value;
    },
    result: () => kept,
  };
}

/**
 * Compiles a computed field of `$group`.
 * @throws {CommandError} 15952 for an unsupported accumulator
 */
function compileAccumulator(field: string, given: unknown): GroupField {
  if (field.includes('.')) throw locationError(40235, `The field name '${field}' cannot contain '.'`);
  if (field.startsWith('$')) throw locationError(40236, `The field name '${field}' cannot be an operator name`);
  const [name, ...more] = isDoc(given) ? Object.keys(given) : [];
  if (!isDoc(given) || !name?.startsWith('$'))
    throw locationError(40234, `The field '${field}' must be an accumulator object`);
  if (more.length > 0) throw locationError(40238, `The field '${field}' must specify one accumulator`);
  const start = ACCUMULATORS.get(name);
  if (!start) {
    const supported = [...ACCUMULATORS.keys()].join(', ');
    throw locationError(15952, `unknown group operator '${name}'. The embedded server supports ${supported}.`);
  }
  return { name: field, evaluate: compileExpression(given[name]), start };
}
