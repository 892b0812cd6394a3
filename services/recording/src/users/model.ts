import { Schema } from 'mongoose';

/** Someone who was deleted: what they still send under way is kept without their details. */
export interface DeletedUser {
  _id: string;
  deletedAt: Date;
}

export const deletedUserSchema = new Schema<DeletedUser>(
  { _id: { type: String, required: true }, deletedAt: { type: Date, required: true } },
  { collection: 'deletedUsers', versionKey: false },
);
