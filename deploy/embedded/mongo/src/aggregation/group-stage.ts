import { encodeKey } from '../bson/key-encoding.ts';
import { type Doc, isDoc, setField } from '../bson/values.ts';
import { locationError, notSupported } from '../errors.ts';
import { type Accumulator, compileAccumulator } from './accumulators.ts';
import { compileExpression } from './expression.ts';
import type { ExpressionContext } from './expression-types.ts';
import type { RunStage } from './stage.ts';

/**
 * Compiles `$group`.
 * @throws {CommandError} MongoDB's codes for an invalid specification; CommandNotSupported under a collation
 */
export function compileGroup(argument: unknown, context: ExpressionContext): RunStage {
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
