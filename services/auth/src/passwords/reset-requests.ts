import { type Connection, type Model, Schema, type Types } from 'mongoose';

/** A request for a reset mail, stored for every email, known or not, before it is answered: a crash does not lose it. */
export interface ResetRequest {
  _id: Types.ObjectId;
  email: string;
  /** Who asked: the user, or an admin for them; an invitation is for a user without a password. */
  kind: 'user' | 'admin' | 'invitation';
  requestedAt: Date;
  /** The time of the next attempt; while a process works on it, the end of its lease. */
  dueAt: Date;
  attempts: number;
}

export type ResetRequestModel = Model<ResetRequest>;

const schema = new Schema<ResetRequest>(
  {
    email: { type: String, required: true },
    kind: { type: String, required: true, default: 'user' },
    requestedAt: { type: Date, required: true },
    dueAt: { type: Date, required: true },
    attempts: { type: Number, required: true, default: 0 },
  },
  { collection: 'reset_requests' },
);
schema.index({ dueAt: 1 });

export function resetRequestModel(connection: Connection): ResetRequestModel {
  return connection.model<ResetRequest>('ResetRequest', schema);
}
