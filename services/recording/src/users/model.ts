import { Schema } from 'mongoose';

/** A deleted user. Uploads that were still in progress are stored without the user's details. */
export interface DeletedUser {
  _id: string;
  deletedAt: Date;
}

export const deletedUserSchema = new Schema<DeletedUser>(
  { _id: { type: String, required: true }, deletedAt: { type: Date, required: true } },
  { collection: 'deletedUsers', versionKey: false },
);
