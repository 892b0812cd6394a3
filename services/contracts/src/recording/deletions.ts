import { z } from 'zod';
import { objectId } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';

/** The kinds of deletions: one take of an answer, a session, or everything of a user. */
export const DeletionKind = z.enum(['answer', 'session', 'user']);
export type DeletionKind = z.infer<typeof DeletionKind>;

/** The target of a deletion. It identifies no one and contains no content, so that it can be kept. */
export const DeletionTarget = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('answer'),
    recordingId: z.string(),
    sessionId: z.string(),
    questionId: z.number().int(),
    /** The hash of the uploaded bytes: a late retry of the same upload is rejected. */
    sha256: z.string(),
  }),
  z.object({ kind: z.literal('session'), sessionId: z.string() }),
  z.object({ kind: z.literal('user'), userId: z.string() }),
]);
export type DeletionTarget = z.infer<typeof DeletionTarget>;

/** A deletion that recording publishes to history. */
export const DeletionSnapshot = z.object({ target: DeletionTarget, revision: z.number().int().positive() });
export type DeletionSnapshot = z.infer<typeof DeletionSnapshot>;

/** The id of a deletion, derived from its target, so that repeated requests are idempotent. */
export function deletionId(target: DeletionTarget): string {
  if (target.kind === 'answer') return `answer-${target.recordingId}`;
  return target.kind === 'session' ? `session-${target.sessionId}` : `user-${target.userId}`;
}

/** The ids of all deletions that would cover one take. */
export function deletionsOf({
  recordingId,
  sessionId,
  userId,
}: {
  recordingId: string;
  sessionId: string;
  userId: string;
}): string[] {
  return [`answer-${recordingId}`, `session-${sessionId}`, `user-${userId}`];
}

const recording = routesOf('recording');

/** Routes for deleting recordings. Accounts are deleted by auth. */
export const deletionRoutes = {
  deleteAnswer: recording.delete('/api/recordings/:recordingId', 'signed-in', {
    summary: 'Delete an answer with all its takes',
    description:
      "Deletes the media, the transcripts and the verdicts of every take of that question in the session. Only for its owner and admins. The same bytes can't be uploaded again; a different answer to the question can.",
    params: z.object({ recordingId: objectId }),
    errorStatuses: [404],
    audit: { action: 'answer.delete', target: 'recording' },
  }),
  deleteSession: recording.delete('/api/sessions/:id', 'signed-in', {
    summary: 'Delete a session with all its answers',
    description:
      "The id is that of the session's history entry. Only for its owner and admins. The session accepts no more uploads.",
    params: z.object({ id: objectId }),
    errorStatuses: [404],
    audit: { action: 'session.delete', target: 'session' },
  }),
};
