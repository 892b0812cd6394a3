import { Double } from 'bson';
import { add, copyValue, formatValue, isNumber, typeOf } from '../bson/values.ts';
import { mongoError } from '../errors.ts';

/** Computes a field's new value from the old one. Undefined is a missing field. `id` is the document's, for error messages. */
export type Modify = (old: unknown, id: unknown) => unknown;

/** An update operator. */
export interface ModifierDefinition {
  /**
   * Compiles the operand.
   *
   * @throws MongoDB's error if the operand is invalid
   */
  make: (operand: unknown, path: string) => Modify;
  /** Whether missing documents on the path are created. */
  createsPath: boolean;
}

function increment(operand: unknown, path: string): Modify {
  if (!isNumber(operand))
    throw mongoError('TypeMismatch', `Cannot increment with non-numeric argument: {${path}: ${formatValue(operand)}}`);
  return (old, id) => {
    if (old === undefined) return operand;
    if (!isNumber(old)) {
      throw mongoError(
        'TypeMismatch',
        `Cannot apply $inc to a value of non-numeric type. {_id: ${formatValue(id)}} has the field '${path.split('.').at(-1)}' of non-numeric type ${typeOf(old).alias}`,
      );
    }
    const sum = add(old, operand);
    const isFractional = [old, operand].some((value) => value instanceof Double);
    if (sum instanceof Double && !isFractional)
      throw mongoError('BadValue', `Failed to apply $inc operations to current value (${formatValue(old)})`);
    return sum;
  };
}

const set: ModifierDefinition = { make: (operand) => () => copyValue(operand), createsPath: true };

/** The update operators for single fields. */
export const FIELD_MODIFIERS: Record<string, ModifierDefinition> = {
  $set: set,
  /** Skipped unless an upsert inserts the document. */
  $setOnInsert: set,
  $unset: { make: () => () => undefined, createsPath: false },
  $inc: { make: increment, createsPath: true },
};
