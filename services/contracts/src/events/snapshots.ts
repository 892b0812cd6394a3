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

/** Grows with every change. A receiver keeps the larger revision, so repeated and reordered events are harmless. */
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
  /** Parallel to `questions`. Absent in what the first release published. */
  expertPoints: z.array(z.array(ExpertPoint)).optional(),
  ...SetOptions.shape,
  /** The browser names the revision it showed by this time. Absent from events of the first releases. */
  updatedAt: timestamp.optional(),
  /** Null while the set is published; else since when it is not. It still takes answers of sessions that have begun. */
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
  /** Whether what belongs to the deleted user is deleted too. Release 0.1.0 kept it, without the user's details. */
  eraseData: z.boolean().optional(),
  /** Whether they cannot sign in now: their calendar address ends. */
  suspended: z.boolean().optional(),
  /** Links that the user made until then to interviews are ended. */
  sharesEndedAt: timestamp.optional(),
  revision,
});
export type UserSnapshot = z.infer<typeof UserSnapshot>;

/** Who is in a group: ids of users. */
export const GroupSnapshot = z.object({
  groupId: z.string(),
  /** Whether it is over: it takes no new work, and what was done stays to be seen. */
  archived: z.boolean(),
  coaches: z.array(z.string()),
  members: z.array(z.string()),
  revision,
});
export type GroupSnapshot = z.infer<typeof GroupSnapshot>;

/** All technologies: auth validates slugs against them. */
export const TechnologiesSnapshot = z.object({ slugs: z.array(z.string()), revision });
export type TechnologiesSnapshot = z.infer<typeof TechnologiesSnapshot>;

/** A session without its recordings: its user and its questions, as they were when it began. */
export const SessionSnapshot = z.object({
  /** The history entry's id (24 hexadecimal digits). */
  entryId: z.string(),
  /** The UUID that the browser chose. */
  sessionId: z.string(),
  kind: SessionKind,
  setId: z.string(),
  title: z.string(),
  technology: z.string(),
  questions: z.array(z.string()),
  expertAnswers: z.array(z.string()),
  /** The zero-based numbers of the questions that are asked; absent where all are. */
  askedQuestions: z.array(z.number().int().nonnegative()).optional(),
  /** Parallel to `questions`, in a session that mixes questions of several sets. */
  sources: z.array(QuestionSource).optional(),
  /** Its follow-up questions, the last of `questions`; '' there once the answer that they follow is deleted. */
  followUps: z.array(FollowUp).optional(),
  /** The assignment that it was taken for. */
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
  /** Absent while there is media to play. */
  mediaDeletion: MediaDeletion.optional(),
  /** The stage that the recording is in, or ended in, and its status there. */
  stage: z.enum(['media', 'transcription', 'assessment']),
  stageStatus: z.enum(['pending', 'started', 'completed', 'unscored', 'failed']),
  transcription: Transcription,
  /** How it was spoken. Absent before it is transcribed, without speech, and in recordings of older releases. */
  delivery: Delivery.optional(),
  isCorrect: z.boolean().nullable(),
  correctnessPercentage: z.number().min(0).max(100).nullable(),
  chatGPTResponse: z.string(),
  assessment: Assessment,
  /** What guests with a link said. It never counts. */
  guestFeedback: z.array(GuestFeedback).optional(),
  revision,
});
export type RecordingSnapshot = z.infer<typeof RecordingSnapshot>;
