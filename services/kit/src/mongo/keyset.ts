import { Types, trusted } from 'mongoose';
import { invalidField } from '../http/http-error.ts';

/** A position in a list ordered by (createdAt, _id), both descending. */
interface KeysetPlace {
  createdAt: Date;
  _id: Types.ObjectId;
}

/** An opaque cursor that continues after `place`. */
export function encodeCursor(place: KeysetPlace): string {
  return Buffer.from(`${place.createdAt.getTime()}.${place._id.toHexString()}`).toString('base64url');
}

/** @throws HttpError 400 for a malformed cursor */
export function decodeCursor(cursor: string): KeysetPlace {
  const match = /^(\d{1,15})\.([0-9a-f]{24})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (!match) throw invalidField('cursor', 'This cursor is not valid');
  return { createdAt: new Date(Number(match[1])), _id: new Types.ObjectId(match[2]) };
}

/** The filter for entries after `place`: one range of an index on (…, createdAt, _id), without the entries up to `_id`. */
export function afterPlace({ createdAt, _id }: KeysetPlace) {
  return {
    createdAt: trusted({ $lte: createdAt }),
    $or: [{ createdAt: trusted({ $lt: createdAt }) }, { _id: trusted({ $lt: _id }) }],
  };
}
