import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { AssignmentNews } from './assignment-mail.ts';
import type { GroupMessageMail } from './group-mail.ts';

/** A mail to be sent, stored before its cause is answered: a crash does not lose it. */
export interface MailRequest {
  /** Of mails that are sent once: the id of the recording, the invitation, or the admin who is told of appeals. */
  _id: Types.ObjectId;
  /** Known or not: nothing reveals who has an account. */
  email: string;
  /**
   * What the mail is for. A link to a new password: asked for by the user, sent by an admin, or an invitation for a user
   * without a password. Or a person's review of an answer; or, for admins, answers that wait for one; or an invitation to a group;
   * or assigned work; or what a coach writes.
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
  /** Absent once it is sent. The time of the next attempt; while a process works on it, the end of its lease. */
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
  // Named by the first release, which knew no other mail.
  { collection: 'reset_requests' },
);
schema.index({ dueAt: 1 });
schema.index({ sentAt: 1 }, { expireAfterSeconds: 3 * 24 * 60 * 60, sparse: true });

export function mailRequestModel(connection: Connection): MailRequestModel {
  return connection.model<MailRequest>('MailRequest', schema);
}
