import { Schema } from 'mongoose';

/** A deleted user. An upload of theirs that was on its way is stored without their details. */
export interface DeletedUser {
  _id: string;
  deletedAt: Date;
}

export const deletedUserSchema = new Schema<DeletedUser>(
  { _id: { type: String, required: true }, deletedAt: { type: Date, required: true } },
  { collection: 'deletedUsers', versionKey: false },
);
