import { createHash } from 'node:crypto';
import { Types } from 'mongoose';

/** The id of a demonstration record, derived from its key: loading it twice writes it once. */
export function seedId(key: string): Types.ObjectId {
  return new Types.ObjectId(createHash('sha256').update(key).digest('hex').slice(0, 24));
}
