import { Schema } from 'mongoose';

/** A user's private calendar address; one per user. */
export interface CalendarFeed {
  /** The user's id. */
  _id: string;
  /** SHA-256 of the token. */
  tokenHash: string;
  createdAt: Date;
}

export const calendarFeedSchema: Schema<CalendarFeed> = new Schema<CalendarFeed>(
  {
    _id: { type: String, required: true },
    tokenHash: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'calendar_feeds', versionKey: false },
);
calendarFeedSchema.index({ tokenHash: 1 });
