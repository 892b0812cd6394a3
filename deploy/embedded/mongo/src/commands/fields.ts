import { type Doc, isDoc, isNumber, toNumber, typeOf } from '../bson/values.ts';
import { locationError, mongoError } from '../errors.ts';

/** Types that a field may be required to have. As in MongoDB, a boolean may also be given as a number. */
const TYPE_CHECKS = {
  object: { accepts: isDoc, expected: "type 'object'" },
  string: { accepts: (value: unknown) => typeof value === 'string', expected: "type 'string'" },
  number: { accepts: isNumber, expected: "types '[long, int, decimal, double]'" },
  bool: {
    accepts: (value: unknown) => typeof value === 'boolean' || isNumber(value),
    expected: "types '[bool, long, int, decimal, double]'",
  },
};

/** @throws {CommandError} TypeMismatch */
export function checkType(field: string, value: unknown, type: keyof typeof TYPE_CHECKS): void {
  const { accepts, expected } = TYPE_CHECKS[type];
  if (accepts(value)) return;
  throw mongoError(
    'TypeMismatch',
    `BSON field '${field}' is the wrong type '${typeOf(value).alias}', expected ${expected}`,
  );
}

/** @throws {CommandError} IDLUnknownField for a field that is not among the known ones */
export function refuseUnknownFields(name: string, given: Doc, known: readonly string[]): void {
  const unknown = Object.keys(given).find((field) => !known.includes(field));
  if (unknown !== undefined)
    throw mongoError('IDLUnknownField', `BSON field '${name}.${unknown}' is an unknown field.`);
}

/** A required field. @throws {CommandError} IDLFailedToParse if it is missing */
export function requireField(name: string, given: Doc, field: string): unknown {
  if (given[field] !== undefined) return given[field];
  throw mongoError('IDLFailedToParse', `BSON field '${name}.${field}' is missing but a required field`);
}

/** A boolean field, or the fallback if it is absent. @throws {CommandError} TypeMismatch */
export function readBoolean(command: Doc, field: string, fallback = false): boolean {
  const value = command[field];
  if (value === undefined || value === null) return fallback;
  checkType(field, value, 'bool');
  return isNumber(value) ? toNumber(value) !== 0 : value === true;
}

/**
 * A non-negative integer field, or the fallback if it is absent. Fractions are truncated.
 * @throws {CommandError} TypeMismatch, or 51024 for a negative number
 */
export function readCount(command: Doc, field: string, fallback: number): number {
  const value = command[field];
  if (value === undefined || value === null) return fallback;
  checkType(field, value, 'number');
  const number = isNumber(value) ? Math.trunc(toNumber(value)) : fallback;
  if (number < 0) throw locationError(51024, `BSON field '${field}' value must be >= 0, actual value '${number}'`);
  return number;
}

/** A document field, empty if it is absent. @throws {CommandError} TypeMismatch */
export function readDocument(command: Doc, field: string): Doc {
  const value = command[field] ?? {};
  checkType(field, value, 'object');
  return value as Doc;
}

/** A non-empty list of documents. @throws {CommandError} TypeMismatch, InvalidLength */
export function readDocuments(command: Doc, field: string): Doc[] {
  const value = command[field];
  if (!Array.isArray(value) || !value.every(isDoc))
    throw mongoError(
      'TypeMismatch',
      `BSON field '${field}' is the wrong type '${typeOf(value).alias}', expected type 'array' of objects`,
    );
  if (value.length === 0)
    throw mongoError('InvalidLength', 'Write batch sizes must be between 1 and 100000. Got 0 operations.');
  return value;
}

const MAX_TIME_MS = 2 ** 31 - 1;

/** A command's `maxTimeMS`. Infinity if it is absent or 0. @throws {CommandError} BadValue */
export function readMaxTimeMs(command: Doc): number {
  const value = command.maxTimeMS;
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (!isNumber(value)) throw mongoError('BadValue', 'maxTimeMS must be a number');
  const limitMs = toNumber(value);
  if (!Number.isInteger(limitMs)) throw mongoError('BadValue', 'maxTimeMS has non-integral value');
  if (limitMs < 0 || limitMs > MAX_TIME_MS)
    throw mongoError('BadValue', `${limitMs} value for maxTimeMS is out of range [0, ${MAX_TIME_MS}]`);
  return limitMs === 0 ? Number.POSITIVE_INFINITY : limitMs;
}
