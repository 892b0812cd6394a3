import { type Connection, type Model, Schema, type Types } from 'mongoose';

/** A wish for a reset mail, kept before it is answered: a crash does not lose it. Made for every email, known or not. */
export interface ResetRequest {
  _id: Types.ObjectId;
  email: string;
  requestedAt: Date;
  /** When it is to be tried; moved on while a process has it in hand. */
  dueAt: Date;
  attempts: number;
}

export type ResetRequestModel = Model<ResetRequest>;

const schema = new Schema<ResetRequest>(
  {
    email: { type: String, required: true },
    requestedAt: { type: Date, required: true },
    dueAt: { type: Date, required: true },
    attempts: { type: Number, required: true, default: 0 },
  },
  { collection: 'reset_requests' },
);
schema.index({ dueAt: 1 });

export const resetRequestModel = (connection: Connection): ResetRequestModel =>
  connection.model('ResetRequest', schema);
