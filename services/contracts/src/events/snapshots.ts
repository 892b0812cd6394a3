import { z } from 'zod';
import { timestamp } from '../api/fields.ts';
import { Role } from '../auth/users.ts';
import { ExpertPoint } from '../catalog/expert-points.ts';
import { SetOptions } from '../catalog/sets.ts';
import { SessionAssignment } from '../recording/assignments.ts';
import { Delivery } from '../recording/delivery.ts';
import { FollowUp } from '../recording/follow-ups.ts';
import { GuestFeedback } from '../recording/guest-feedback.ts';
import { MediaDeletion } from '../recording/media-deletion.ts';
import { QuestionSource } from '../recording/question-sources.ts';
import { Assessment, SessionKind, Transcription } from '../recording/recordings.ts';

/** Grows with every change. Consumers keep the larger revision, so duplicate and reordered events are harmless. */
const revision = z.number().int().positive();

/** A set that catalog publishes to recording. `expertAnswers` is parallel to `questions`, '' for none. */
export const SetSnapshot = z.object({
  setId: z.string(),
  kind: SessionKind,
  title: z.string(),
  technology: z.string(),
  technologySlug: z.string(),
  questions: z.array(z.string()),
  expertAnswers: z.array(z.string()),
  /** Parallel to `questions`. Absent in events of the first release. */
  expertPoints: z.array(z.array(ExpertPoint)).optional(),
  ...SetOptions.shape,
  /** Browsers identify the revision that they showed by this time. Absent in events of the first releases. */
  updatedAt: timestamp.optional(),
  /** Null while the set is published, otherwise when it stopped being so. Sessions that have already started can still add answers. */
  deletedAt: timestamp.nullable(),
  revision,
});
export type SetSnapshot = z.infer<typeof SetSnapshot>;

/** A user that auth publishes; `deletedAt` is null while the user exists. */
export const UserSnapshot = z.object({
  userId: z.string(),
  email: z.string(),
  role: Role,
  lastLogin: timestamp.nullable(),
  deletedAt: timestamp.nullable(),
  /** Whether the deleted user's content is deleted too. Release 0.1.0 kept it, without the user's details. */
  eraseData: z.boolean().optional(),
  /** Whether the user is suspended: their calendar address stops working. */
  suspended: z.boolean().optional(),
  /** Revokes the user's share links created up to this time. */
  sharesEndedAt: timestamp.optional(),
  revision,
});
export type UserSnapshot = z.infer<typeof UserSnapshot>;

/** The people in a group, as user ids. */
export const GroupSnapshot = z.object({
  groupId: z.string(),
  /** Whether the group is archived: it takes no new work, and existing work stays readable. */
  archived: z.boolean(),
  coaches: z.array(z.string()),
  members: z.array(z.string()),
  revision,
});
export type GroupSnapshot = z.infer<typeof GroupSnapshot>;

/** All technologies: auth validates slugs against them. */
export const TechnologiesSnapshot = z.object({ slugs: z.array(z.string()), revision });
export type TechnologiesSnapshot = z.infer<typeof TechnologiesSnapshot>;

/** A session without its recordings: its user and its questions, as of its start. */
export const SessionSnapshot = z.object({
  /** The history entry's id (24 hexadecimal digits). */
  entryId: z.string(),
  /** The UUID chosen by the browser. */
  sessionId: z.string(),
  kind: SessionKind,
  setId: z.string(),
  title: z.string(),
  technology: z.string(),
  questions: z.array(z.string()),
  expertAnswers: z.array(z.string()),
  /** The zero-based indexes of the questions to ask; absent for all. */
  askedQuestions: z.array(z.number().int().nonnegative()).optional(),
  /** Parallel to `questions`, in sessions that mix several sets. */
  sources: z.array(QuestionSource).optional(),
  /** Its follow-up questions, the last of `questions`; '' there once the answer that they follow is deleted. */
  followUps: z.array(FollowUp).optional(),
  /** The assignment that the session was taken for. */
  assignment: SessionAssignment.optional(),
  userId: z.string(),
  user: z.object({ email: z.string().nullable(), role: z.string().nullable(), lastLogin: timestamp.nullable() }),
  createdAt: timestamp,
  revision,
});
export type SessionSnapshot = z.infer<typeof SessionSnapshot>;

/** A whole recording. */
export const RecordingSnapshot = z.object({
  recordingId: z.string(),
  questionId: z.number().int(),
  take: z.number().int(),
  createdAt: timestamp,
  mediaType: z.string(),
  durationMs: z.number().int().nullable(),
  peaks: z.array(z.number()),
  /** Absent while media is available. */
  mediaDeletion: MediaDeletion.optional(),
  /** The current or final processing stage, with its status. */
  stage: z.enum(['media', 'transcription', 'assessment']),
  stageStatus: z.enum(['pending', 'started', 'completed', 'unscored', 'failed']),
  transcription: Transcription,
  /** Delivery metrics. Absent before transcription, without speech, and in recordings of older releases. */
  delivery: Delivery.optional(),
  isCorrect: z.boolean().nullable(),
  correctnessPercentage: z.number().min(0).max(100).nullable(),
  chatGPTResponse: z.string(),
  assessment: Assessment,
  /** Feedback of guests with a share link. It never affects the score. */
  guestFeedback: z.array(GuestFeedback).optional(),
  revision,
});
export type RecordingSnapshot = z.infer<typeof RecordingSnapshot>;
