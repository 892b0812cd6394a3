import type { Passkey } from '@interview-prep/contracts/auth/passkeys';
import { type Connection, type Model, Schema, type Types } from 'mongoose';

/** A passkey as its user sees it. */
export function presentPasskey({ _id, isSynced, createdAt, lastUsedAt }: StoredPasskey): Passkey {
  return {
    id: _id,
    isSynced,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

/** A user's passkey. Contains only its public key. */
export interface StoredPasskey {
  /** The credential's id. */
  _id: string;
  userId: Types.ObjectId;
  publicKey: Buffer;
  /** The signature counter, if the authenticator has one. A value lower than the last one indicates a cloned passkey. */
  counter: number;
  /** Whether its provider syncs it between devices. */
  isSynced: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export type PasskeyModel = Model<StoredPasskey>;

const schema = new Schema<StoredPasskey>(
  {
    _id: { type: String, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    publicKey: { type: Buffer, required: true },
    counter: { type: Number, required: true },
    isSynced: { type: Boolean, required: true },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, default: null },
  },
  { collection: 'passkeys' },
);
schema.index({ userId: 1 });

export function passkeyModel(connection: Connection): PasskeyModel {
  return connection.model<StoredPasskey>('Passkey', schema);
}
