import type { ChainedEntry } from '@interview-prep/kit/audit/audit-chain';
import { type Connection, type Model, Schema } from 'mongoose';

export type AuditEntryModel = Model<ChainedEntry>;

const schema = new Schema<ChainedEntry>(
  {
    _id: { type: Number, required: true },
    eventId: { type: String, required: true },
    at: { type: Date, required: true },
    service: { type: String, required: true },
    action: { type: String, required: true },
    outcome: { type: String, required: true },
    actor: { type: String, default: null },
    address: { type: String, default: null },
    target: { type: String, default: null },
    requestId: { type: String, default: null },
    details: { type: Object, default: {} },
    previous: { type: String, default: '' },
    hash: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'entries', versionKey: false, minimize: false },
);

/** The audit log's collection, in the database `audit` beside auth's: auth's account may only read and insert. */
export function auditEntryModel(connection: Connection): AuditEntryModel {
  const name = `${connection.name.replace(/auth$/, '')}audit`;
  return connection.useDb(name, { useCache: true }).model<ChainedEntry>('AuditEntry', schema);
}
