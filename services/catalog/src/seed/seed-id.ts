import { createHash } from 'node:crypto';
import { Types } from 'mongoose';

/** The id of a piece of demonstration data: always the same for the same key, so that it can't be written twice. */
export const seedId = (key: string): Types.ObjectId =>
  new Types.ObjectId(createHash('sha256').update(key).digest('hex').slice(0, 24));
