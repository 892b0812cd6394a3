import { type Doc, isDoc, isNumber, toNumber } from '../bson/values.ts';
import { mongoError } from '../errors.ts';
import { checkType, refuseUnknownFields } from './fields.ts';

const READ_LEVELS = ['local', 'available', 'majority', 'linearizable', 'snapshot'];
const MAX_MEMBERS = 50;

/** @throws {CommandError} BadValue for an unknown level, NotAReplicaSet for one that a standalone server cannot provide */
export function checkReadConcern(given: unknown): void {
  if (given === undefined) return;
  checkType('readConcern', given, 'object');
  refuseUnknownFields('readConcern', given as Doc, ['level', 'provenance', 'afterClusterTime', 'atClusterTime']);
  const { level } = given as Doc;
  if (level === undefined) return;
  checkType('readConcern.level', level, 'string');
  if (!READ_LEVELS.includes(level as string))
    throw mongoError(
      'BadValue',
      `Enumeration value '${String(level)}' for field 'readConcern.level' is not a valid value.`,
    );
  if (level === 'linearizable' || level === 'snapshot')
    throw mongoError('NotAReplicaSet', 'node needs to be a replica set member to use read concern');
}

/** @throws {CommandError} FailedToParse for an invalid `w`, BadValue for one that a standalone server cannot provide */
export function checkWriteConcern(given: unknown): void {
  if (given === undefined) return;
  checkType('writeConcern', given, 'object');
  refuseUnknownFields('WriteConcernOptions', given as Doc, ['w', 'j', 'wtimeout', 'fsync', 'provenance']);
  const { w, j, wtimeout } = given as Doc;
  if (j !== undefined) checkType('WriteConcernOptions.j', j, 'bool');
  if (wtimeout !== undefined) checkType('WriteConcernOptions.wtimeout', wtimeout, 'number');
  if (isNumber(w)) {
    const members = toNumber(w);
    if (members < 0 || members > MAX_MEMBERS)
      throw mongoError(
        'FailedToParse',
        `w has to be a non-negative number and not greater than ${MAX_MEMBERS}; found: ${members}`,
      );
    if (members > 1) throw mongoError('BadValue', "cannot use 'w' > 1 when a host is not replicated");
  } else if (typeof w === 'string') {
    if (w !== 'majority')
      throw mongoError(
        'BadValue',
        `cannot use non-majority 'w' mode "${w}" when a host is not a member of a replica set`,
      );
  } else if (w !== undefined && w !== null) {
    throw mongoError('FailedToParse', 'w has to be a number or a string');
  }
}

/** Whether a write concern requires the write to be on disk before it is acknowledged. */
export function needsDisk(writeConcern: unknown): boolean {
  return isDoc(writeConcern) && (writeConcern.w === 'majority' || writeConcern.j === true);
}
