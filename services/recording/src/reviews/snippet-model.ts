import type { NewSnippet } from '@interview-prep/contracts/recording/reviews';
import { Schema, type Types } from 'mongoose';

/** The remarks that reviewers keep. */
export interface StoredSnippets {
  /** The user's id. */
  _id: string;
  snippets: (NewSnippet & { _id: Types.ObjectId })[];
}

export const snippetsSchema: Schema<StoredSnippets> = new Schema<StoredSnippets>(
  {
    _id: { type: String, required: true },
    snippets: [new Schema({ name: { type: String, required: true }, text: { type: String, required: true } })],
  },
  { collection: 'review_snippets', versionKey: false },
);
