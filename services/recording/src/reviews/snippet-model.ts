import type { NewSnippet } from '@interview-prep/contracts/recording/reviews';
import { Schema, type Types } from 'mongoose';

/** A reviewer's saved remarks. */
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
