import type { AssignedSet, AssignmentTerms, FeedbackTime } from '@interview-prep/contracts/recording/assignments';
import { Schema, type Types } from 'mongoose';

/** Work that a coach has assigned to a group. */
export interface StoredAssignment {
  _id: Types.ObjectId;
  groupId: string;
  title: string;
  sets: AssignedSet[];
  /** Null for everyone in the group. */
  memberIds: string[] | null;
  opensAt: Date;
  dueAt: Date | null;
  timeZone: string;
  takes: number | null;
  timeLimitSeconds: number | null;
  minimumScore: number | null;
  feedback: FeedbackTime;
  closesLate: boolean;
  releasedAt: Date | null;
  createdAt: Date;
  /** The latest change of its terms. */
  changed?: { at: Date; terms: (keyof AssignmentTerms)[] };
  /** Members' later due dates, and when they were granted. */
  extensions?: { userId: string; dueAt: Date; at: Date }[];
  /** Members whom a coach has recently reminded. */
  reminders?: { userId: string; at: Date }[];
  /** Counts changes to extensions and reminders, as an optimistic lock. */
  revision?: number;
}

export const assignmentSchema: Schema<StoredAssignment> = new Schema<StoredAssignment>(
  {
    groupId: { type: String, required: true },
    title: { type: String, required: true },
    sets: {
      type: [new Schema({ kind: String, setId: String, title: String, questionCount: Number }, { _id: false })],
      required: true,
    },
    memberIds: { type: [String], default: null },
    opensAt: { type: Date, required: true },
    dueAt: { type: Date, default: null },
    timeZone: { type: String, required: true },
    takes: { type: Number, default: null },
    timeLimitSeconds: { type: Number, default: null },
    minimumScore: { type: Number, default: null },
    feedback: { type: String, required: true },
    closesLate: { type: Boolean, required: true },
    releasedAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    changed: { type: new Schema({ at: Date, terms: [String] }, { _id: false }) },
    extensions: {
      type: [new Schema({ userId: String, dueAt: Date, at: Date }, { _id: false })],
      default: undefined,
    },
    reminders: { type: [new Schema({ userId: String, at: Date }, { _id: false })], default: undefined },
    revision: { type: Number },
  },
  { collection: 'assignments', versionKey: false },
);
assignmentSchema.index({ groupId: 1 });
assignmentSchema.index({ memberIds: 1 });
assignmentSchema.index({ dueAt: 1 });
assignmentSchema.index({ 'extensions.dueAt': 1 }, { sparse: true });
assignmentSchema.index({ createdAt: 1 });
assignmentSchema.index({ 'changed.at': 1 }, { sparse: true });
