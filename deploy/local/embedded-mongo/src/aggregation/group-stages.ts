import { Int32 } from 'bson';
import { compareValues } from '../bson/compare.ts';
import { encodeKey } from '../bson/key-encoding.ts';
import { type Doc, fromInteger, isDoc, setField } from '../bson/values.ts';
import { locationError, notSupported } from '../errors.ts';
import { type Accumulator, compileAccumulator } from './accumulators.ts';
import { DOCUMENT_STAGES, stageCount } from './document-stages.ts';
import { compileExpression, createCompiler } from './expression.ts';
import type { CompileStage } from './stage.ts';

const group: CompileStage = (argument, context) => {
  if (!isDoc(argument)) throw locationError(15947, "a group's fields must be specified in an object");
  if (!('_id' in argument)) throw locationError(15955, 'a group specification must include an _id');
  if (context.compareStrings) throw notSupported('$group under a collation');
  const readId = compileExpression(argument._id, context);
  const compiler = createCompiler(context);
  const fields = Object.entries(argument)
    .filter(([name]) => name !== '_id')
    .map(([name, given]) => ({ name, start: compileAccumulator(name, given, compiler) }));
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
      for (const accumulator of found.accumulators) accumulator.add({ root: doc, variables: context.variables });
    }
    for (const { _id, accumulators } of groups.values()) {
      const result: Doc = { _id };
      for (const [i, { name }] of fields.entries()) setField(result, name, accumulators[i]!.result());
      yield result;
    }
  };
};

const count: CompileStage = (argument) => {
  if (typeof argument !== 'string' || argument === '')
    throw locationError(40156, 'the count field must be a non-empty string');
  if (argument.startsWith('$')) throw locationError(40158, 'the count field cannot be a $-prefixed path');
  if (argument.includes('.')) throw locationError(40160, "the count field cannot contain '.'");
  return function* (documents) {
    let total = 0;
    for (const _ of documents) total++;
    if (total > 0) yield { [argument]: fromInteger(total) };
  };
};

const sortByCount: CompileStage = (argument, context) => {
  const isExpression =
    (typeof argument === 'string' && argument.startsWith('$')) ||
    (isDoc(argument) && Object.keys(argument)[0]?.startsWith('$'));
  if (!isExpression)
    throw locationError(40147, 'the sortByCount field must be defined as a $-prefixed path or an expression');
  const counted = group({ _id: argument, count: { $sum: new Int32(1) } }, context);
  const sorted = DOCUMENT_STAGES.$sort!({ count: new Int32(-1) }, context);
  return (documents) => sorted(counted(documents));
};

const bucket: CompileStage = (argument, context) => {
  if (
    !isDoc(argument) ||
    !('groupBy' in argument) ||
    !Array.isArray(argument.boundaries) ||
    argument.boundaries.length < 2
  ) {
    throw locationError(40198, "$bucket requires 'groupBy' and at least two 'boundaries' to be specified.");
  }
  const boundaries = argument.boundaries as unknown[];
  boundaries.forEach((boundary, i) => {
    if (i > 0 && compareValues(boundaries[i - 1], boundary) >= 0)
      throw locationError(40194, "The 'boundaries' option to $bucket must be sorted");
  });
  const branches = boundaries.slice(0, -1).map((boundary, i) => {
    const isAbove = { $gte: [argument.groupBy, { $literal: boundary }] };
    const isBelow = { $lt: [argument.groupBy, { $literal: boundaries[i + 1] }] };
    return Object.fromEntries([
      ['case', { $and: [isAbove, isBelow] }],
      ['then', { $literal: boundary }],
    ]);
  });
  const otherwise = 'default' in argument ? { default: { $literal: argument.default } } : {};
  const output = isDoc(argument.output) ? argument.output : { count: { $sum: new Int32(1) } };
  const grouped = group({ _id: { $switch: { branches, ...otherwise } }, ...output }, context);
  const sorted = DOCUMENT_STAGES.$sort!({ _id: new Int32(1) }, context);
  return (documents) => sorted(grouped(documents));
};

const sample: CompileStage = (argument) => {
  const size = stageCount(isDoc(argument) ? argument.size : undefined, '$sample', 1);
  return (documents) => {
    const all = [...documents];
    for (let i = all.length - 1; i > 0; i--) {
      const other = Math.floor(Math.random() * (i + 1));
      [all[i], all[other]] = [all[other]!, all[i]!];
    }
    return all.slice(0, size);
  };
};

/** Stages that look at all documents at once. */
export const GROUP_STAGES: Record<string, CompileStage> = {
  $group: group,
  $count: count,
  $sortByCount: sortByCount,
  $bucket: bucket,
  $sample: sample,
};
