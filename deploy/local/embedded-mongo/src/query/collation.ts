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
 * The comparison that a command's collation asks for, or undefined for MongoDB's binary order. It is done by Intl, which is
 * ICU as in MongoDB, for strengths 1 to 3; what Intl cannot express is refused.
 */
export function readCollation(given: unknown): CompareStrings | undefined {
  if (given === undefined) return undefined;
  if (!isDoc(given) || typeof given.locale !== 'string') {
    throw mongoError('BadValue', "BSON field 'collation.locale' is missing but a required field");
  }
  const unknown = Object.keys(given).find((key) => !KNOWN.has(key));
  if (unknown) throw mongoError('BadValue', `BSON field 'collation.${unknown}' is an unknown field.`);
  if (given.locale === 'simple') return undefined;
  refuseInexpressible(given);
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

function refuseInexpressible(given: Doc): void {
  const strength = isNumber(given.strength) ? toNumber(given.strength) : 3;
  if (![1, 2, 3].includes(strength)) throw notSupported(`A collation of strength ${strength}`);
  if (given.caseLevel === true && strength !== 1)
    throw notSupported('A collation with caseLevel and a strength above 1');
  if (given.alternate === 'shifted') throw notSupported("A collation with alternate 'shifted'");
  if (given.backwards === true) throw notSupported('A collation with backwards');
}
