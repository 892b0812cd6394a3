import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { AssignmentNews } from './assignment-mail.ts';
import type { GroupMessageMail } from './group-mail.ts';

/** A mail to be sent, stored before the triggering request is answered, so that a crash can't lose it. */
export interface MailRequest {
  /** For deduplicated mails, the id of the recording, the invitation, or the admin notified of appeals. */
  _id: Types.ObjectId;
  /** Stored whether or not it has an account, so that nothing reveals who does. */
  email: string;
  /**
   * The purpose of the mail. A password link: requested by the user, sent by an admin, or an invitation for a user
   * without a password. Or a review of an answer; or, for admins, answers waiting for one; or an invitation to a group;
   * or assigned work; or a message from a coach.
   */
  kind: 'user' | 'admin' | 'invitation' | 'review' | 'appeal' | 'group' | 'assignment' | 'message';
  /** The answer that was judged, in a mail about a review. `questionId` is zero-based. */
  review?: { interviewId: string; questionId: number };
  /** In a mail about assigned work. */
  assignment?: AssignmentNews;
  /** In a mail that a coach writes. */
  message?: GroupMessageMail;
  requestedAt: Date;
  /** Set in mails about assigned work, which are kept for some days so that each is sent once. */
  sentAt?: Date;
  /** The time of the next attempt; while a process works on it, the end of its lease. Absent once sent. */
  dueAt: Date;
  attempts: number;
}

export type MailRequestModel = Model<MailRequest>;

const schema = new Schema<MailRequest>(
  {
    email: { type: String, required: true },
    kind: { type: String, required: true, default: 'user' },
    review: { type: new Schema({ interviewId: String, questionId: Number }, { _id: false }) },
    assignment: { type: Schema.Types.Mixed },
    message: { type: Schema.Types.Mixed },
    requestedAt: { type: Date, required: true },
    sentAt: { type: Date },
    dueAt: { type: Date, required: true },
    attempts: { type: Number, required: true, default: 0 },
  },
  // Named in the first release, when there was no other mail.
  { collection: 'reset_requests' },
);
schema.index({ dueAt: 1 });
schema.index({ sentAt: 1 }, { expireAfterSeconds: 3 * 24 * 60 * 60, sparse: true });

export function mailRequestModel(connection: Connection): MailRequestModel {
  return connection.model<MailRequest>('MailRequest', schema);
}
