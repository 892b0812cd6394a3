import type { DeletionTarget } from '@interview-prep/contracts/recording/deletions';
import { followChanges, type Published, publishedFields } from '@interview-prep/kit/redis/outbox';
import { Schema } from 'mongoose';

/**
 * A requested deletion. It is written before anything is deleted, and kept: data that arrives late, or comes back
 * with a restored backup, is deleted again.
 */
export interface Deletion extends Published {
  /** `deletionId` of the target. */
  _id: string;
  target: DeletionTarget;
  requestedAt: Date;
  /** When the next deletion pass is due; absent after the second. */
  nextPassAt?: Date | undefined;
  passes: number;
  updatedAt: Date;
}

export const deletionSchema = new Schema<Deletion>(
  {
    _id: { type: String, required: true },
    target: { type: Schema.Types.Mixed, required: true },
    requestedAt: { type: Date, required: true },
    nextPassAt: { type: Date },
    passes: { type: Number, required: true, default: 0 },
    ...publishedFields,
  },
  { collection: 'deletions', timestamps: { createdAt: false, updatedAt: true }, versionKey: false },
);
deletionSchema.index({ nextPassAt: 1 }, { sparse: true });
// For uploads, which may be retries of a deleted answer.
deletionSchema.index({ 'target.sessionId': 1 }, { sparse: true });
followChanges(deletionSchema);
deletionSchema.index({ updatedAt: 1 });
