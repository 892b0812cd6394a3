import { z } from 'zod';
import { ExpertPoint } from './expert-points.ts';
import { timestamp } from './fields.ts';
import { Assessment, SessionKind, Transcription } from './recordings.ts';
import { Role } from './users.ts';

/** Grows with every change of what it belongs to; a receiver keeps the larger one, so doubled and reordered events are harmless. */
const revision = z.number().int().positive();

/** A set as catalog tells recording of it. `expertAnswers` is parallel to `questions`, '' where there is none. */
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
  /** Names this revision to those whom catalog showed it. Not in what was told before it was part of this. */
  updatedAt: timestamp.optional(),
  /** Null while the set exists. A deleted set still takes the answers of those who had begun. */
  deletedAt: timestamp.nullable(),
  revision,
});
export type SetSnapshot = z.infer<typeof SetSnapshot>;

/** A user as auth tells the others; `deletedAt` is null while the user exists. */
export const UserSnapshot = z.object({
  userId: z.string(),
  email: z.string(),
  role: Role,
  lastLogin: timestamp.nullable(),
  deletedAt: timestamp.nullable(),
  revision,
});
export type UserSnapshot = z.infer<typeof UserSnapshot>;

/** The technologies there are: auth validates slugs against them. */
export const TechnologiesSnapshot = z.object({ slugs: z.array(z.string()), revision });
export type TechnologiesSnapshot = z.infer<typeof TechnologiesSnapshot>;

/** A session's head: what was asked, by whom it was taken, as it was when it began. */
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
  userId: z.string(),
  user: z.object({ email: z.string().nullable(), role: z.string().nullable(), lastLogin: timestamp.nullable() }),
  createdAt: timestamp,
  revision,
});
export type SessionSnapshot = z.infer<typeof SessionSnapshot>;

/** A recording with all that is known of it. */
export const RecordingSnapshot = z.object({
  recordingId: z.string(),
  questionId: z.number().int(),
  take: z.number().int(),
  createdAt: timestamp,
  mediaType: z.string(),
  durationMs: z.number().int().nullable(),
  peaks: z.array(z.number()),
  /** The last stage that something was heard of, and how it stands there. */
  stage: z.enum(['media', 'transcription', 'assessment']),
  stageStatus: z.enum(['pending', 'started', 'completed', 'unscored', 'failed']),
  transcription: Transcription,
  isCorrect: z.boolean().nullable(),
  correctnessPercentage: z.number().min(0).max(100).nullable(),
  chatGPTResponse: z.string(),
  assessment: Assessment,
  revision,
});
export type RecordingSnapshot = z.infer<typeof RecordingSnapshot>;
