import type { CompareStrings } from '../bson/compare.ts';
import { type Doc, isDoc, isNumber, toNumber } from '../bson/values.ts';
import { mongoError, notSupported } from '../errors.ts';

const SENSITIVITY = { 1: 'base', 2: 'accent', 3: 'variant' } as const;
const KNOWN = new Set([
  'locale',
  'strength',
  'caseLevel',
  'numericOrdering',
  'caseFirst',
  'alternate',
  'backwards',
  'normalization',
  'maxVariable',
  'version',
]);

/**
 * The string comparison of a command's collation, or undefined for MongoDB's binary order. Intl compares: it is ICU, as in
 * MongoDB.
 * @throws {CommandError} CommandNotSupported for a collation that Intl cannot express
 */
export function readCollation(given: unknown): CompareStrings | undefined {
  if (given === undefined) return undefined;
  if (!isDoc(given))
    throw mongoError('TypeMismatch', "BSON field 'collation' is the wrong type, expected type 'object'");
  if (typeof given.locale !== 'string')
    throw mongoError('IDLFailedToParse', "BSON field 'collation.locale' is missing but a required field");
  const unknown = Object.keys(given).find((key) => !KNOWN.has(key));
  if (unknown) throw mongoError('IDLUnknownField', `BSON field 'collation.${unknown}' is an unknown field.`);
  if (given.locale === 'simple') return undefined;
  refuseUnsupported(given);
  if (Intl.Collator.supportedLocalesOf(given.locale.replace('_', '-')).length === 0) {
    throw mongoError('BadValue', `Field 'locale' is invalid in: { locale: "${given.locale}" }`);
  }
  const strength = isNumber(given.strength) ? toNumber(given.strength) : 3;
  const sensitivity = given.caseLevel === true ? 'case' : SENSITIVITY[strength as 1 | 2 | 3];
  const collator = new Intl.Collator(given.locale.replace('_', '-'), {
    sensitivity,
    numeric: given.numericOrdering === true,
    caseFirst: given.caseFirst === 'upper' || given.caseFirst === 'lower' ? given.caseFirst : 'false',
  });
  return collator.compare;
}

function refuseUnsupported(given: Doc): void {
  const strength = isNumber(given.strength) ? toNumber(given.strength) : 3;
  if (![1, 2, 3].includes(strength)) throw notSupported(`A collation of strength ${strength}`);
  if (given.caseLevel === true && strength !== 1)
    throw notSupported('A collation with caseLevel and a strength above 1');
  if (given.alternate === 'shifted') throw notSupported("A collation with alternate 'shifted'");
  if (given.backwards === true) throw notSupported('A collation with backwards');
}
