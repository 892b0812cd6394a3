import type { ApiScope } from '@interview-prep/contracts/api/scopes';
import { type Connection, type Model, Schema, type Types } from 'mongoose';

/** An API key of a user. It is deleted when it is revoked. */
export interface StoredApiKey {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  name: string;
  scopes: ApiScope[];
  /** SHA-256 of the key. */
  hash: string;
  start: string;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
}
export type ApiKeyModel = Model<StoredApiKey>;

const schema = new Schema<StoredApiKey>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    scopes: { type: [String], required: true },
    hash: { type: String, required: true },
    start: { type: String, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    lastUsedAt: { type: Date, default: null },
  },
  { collection: 'api_keys' },
);
schema.index({ userId: 1 });
schema.index({ hash: 1 }, { unique: true });
// Keep expired keys in the list for a while, so that owners see why they stopped working.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 30 * 24 * 60 * 60 });

export function apiKeyModel(connection: Connection): ApiKeyModel {
  return connection.model<StoredApiKey>('ApiKey', schema);
}
