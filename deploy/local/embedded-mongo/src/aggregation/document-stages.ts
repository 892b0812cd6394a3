import { Long } from 'bson';
import { type Doc, isDoc, isNumber, isTruthy, setField, toNumber } from '../bson/values.ts';
import { locationError } from '../errors.ts';
import { parseFilter } from '../query/parse-filter.ts';
import { compileProjection, setComputed } from '../query/projection.ts';
import { readSort, sortBy } from '../query/sort.ts';
import { compileExpression } from './expression.ts';
import type { CompileStage, Documents } from './stage.ts';

/** A stage that makes one document of each. */
const mapping = (change: (doc: Doc) => Doc) =>
  function* (documents: Documents): Generator<Doc> {
    for (const doc of documents) yield change(doc);
  };

function requireDoc(value: unknown, name: string, code: number): Doc {
  if (!isDoc(value)) throw locationError(code, `the ${name} stage specification must be an object`);
  return value;
}

const addFields =
  (name: string): CompileStage =>
  (argument, context) => {
    const fields: { parts: string[]; evaluate: (doc: Doc) => unknown }[] = [];
    const read = (spec: Doc, prefix: string[]): void => {
      for (const [key, value] of Object.entries(spec)) {
        if (key.startsWith('$'))
          throw locationError(
            16410,
            `FieldPath field names may not start with '$'. Consider using $getField or $setField.`,
          );
        const parts = [...prefix, ...key.split('.')];
        if (parts.includes(''))
          throw locationError(40353, "FieldPath must not end with a '.' or have empty field names.");
        const isNested = isDoc(value) && Object.keys(value).length > 0 && !Object.keys(value)[0]!.startsWith('$');
        if (isNested) read(value, parts);
        else fields.push({ parts, evaluate: compileExpression(value, context) });
      }
    };
    read(requireDoc(argument, name, 40272), []);
    if (fields.length === 0)
      throw locationError(40177, `Invalid ${name} :: caused by :: specification must have at least one field`);
    return mapping((doc) => {
      const result = { ...doc };
      for (const { parts, evaluate } of fields) setComputed(result, parts, evaluate(doc));
      return result;
    });
  };

const project: CompileStage = (argument, context) => {
  const spec = requireDoc(argument, '$project', 15969);
  if (Object.keys(spec).length === 0)
    throw locationError(
      51272,
      'Invalid $project :: caused by :: projection specification must have at least one field',
    );
  const apply = compileProjection(spec, { isFind: false, ...context });
  return mapping((doc) => apply(doc, {}));
};

const unset: CompileStage = (argument, context) => {
  const paths: unknown[] = Array.isArray(argument) ? argument : [argument];
  if (paths.length === 0 || !paths.every((path) => typeof path === 'string' && path !== '')) {
    throw locationError(31002, '$unset specification must be a string or an array');
  }
  return project(Object.fromEntries(paths.map((path) => [path, false])), context);
};

const replaceWith =
  (read: (argument: unknown) => unknown): CompileStage =>
  (argument, context) => {
    const evaluate = compileExpression(read(argument), context);
    return mapping((doc) => {
      const value = evaluate(doc);
      if (!isDoc(value)) throw locationError(40228, "'newRoot' expression must evaluate to an object");
      return value;
    });
  };

const unwind: CompileStage = (argument) => {
  const spec = typeof argument === 'string' ? { path: argument } : requireDoc(argument, '$unwind', 15981);
  const { path } = spec;
  if (typeof path !== 'string' || !path.startsWith('$') || path.length < 2)
    throw locationError(28818, `path option to $unwind stage should be prefixed with a '$': ${String(path)}`);
  const parts = path.slice(1).split('.');
  const index = typeof spec.includeArrayIndex === 'string' ? spec.includeArrayIndex.split('.') : undefined;
  const keepsEmpty = isTruthy(spec.preserveNullAndEmptyArrays);
  const emit = (doc: Doc, value: unknown, position: number | null): Doc => {
    const result = withValue(doc, parts, value);
    if (index) setComputed(result, index, position === null ? null : Long.fromNumber(position));
    return result;
  };
  return function* (documents) {
    for (const doc of documents) {
      const value = parts.reduce<unknown>(
        (node, part) => (isDoc(node) && Object.hasOwn(node, part) ? node[part] : undefined),
        doc,
      );
      if (Array.isArray(value) && value.length > 0) for (const [i, item] of value.entries()) yield emit(doc, item, i);
      else if (Array.isArray(value)) {
        if (keepsEmpty) yield emit(doc, undefined, null);
      } else if (value !== undefined && value !== null) yield emit(doc, value, null);
      else if (keepsEmpty) yield index ? emit(doc, value, null) : doc;
    }
  };
};

/** A copy of a document with another value at a path of documents. */
function withValue(doc: Doc, parts: readonly string[], value: unknown): Doc {
  const [part, ...rest] = parts as [string, ...string[]];
  const copy = { ...doc };
  if (rest.length === 0 && value === undefined) delete copy[part];
  else if (rest.length === 0) setField(copy, part, value);
  else if (isDoc(copy[part])) setField(copy, part, withValue(copy[part], rest, value));
  return copy;
}

/** A whole number that a stage counts by. */
export function stageCount(argument: unknown, name: string, least: number): number {
  const count = isNumber(argument) ? toNumber(argument) : Number.NaN;
  if (!Number.isInteger(count)) throw locationError(2107201, `invalid argument to ${name} stage: Expected an integer`);
  if (count < least)
    throw locationError(15958, `the argument to ${name} must be ${least > 0 ? 'positive' : 'non-negative'}`);
  return count;
}

/** Stages that look at one document at a time, or only at their order. */
export const DOCUMENT_STAGES: Record<string, CompileStage> = {
  $match: (argument, context) => {
    const filter = parseFilter(requireDoc(argument, '$match', 15959), context);
    return function* (documents) {
      for (const doc of documents) if (filter.test(doc)) yield doc;
    };
  },
  $addFields: addFields('$addFields'),
  $set: addFields('$set'),
  $project: project,
  $unset: unset,
  $replaceWith: replaceWith((argument) => argument),
  $replaceRoot: replaceWith((argument) => requireDoc(argument, '$replaceRoot', 40229).newRoot),
  $unwind: unwind,
  $sort: (argument, { compareStrings }) => {
    const fields = readSort(argument);
    if (fields.length === 0) throw locationError(15976, '$sort stage must have at least one sort key');
    return (documents) => sortBy(documents, fields, (doc) => ({ doc, sizeBytes: 0 }), { compareStrings });
  },
  $skip: (argument) => {
    const count = stageCount(argument, '$skip', 0);
    return function* (documents) {
      let position = 0;
      for (const doc of documents) if (position++ >= count) yield doc;
    };
  },
  $limit: (argument) => {
    const count = stageCount(argument, '$limit', 1);
    return function* (documents) {
      let position = 0;
      for (const doc of documents) {
        yield doc;
        if (++position >= count) return;
      }
    };
  },
};
