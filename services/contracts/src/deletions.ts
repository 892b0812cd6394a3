import { z } from 'zod';
import { objectId } from './fields.ts';
import { defineRoute } from './route.ts';

/** What is deleted: the answer to one question with all its takes, a session, or whatever belongs to a user. */
export const DeletionKind = z.enum(['answer', 'session', 'user']);
export type DeletionKind = z.infer<typeof DeletionKind>;

/** What a deletion is about. It names nobody and holds nothing that was said, so that it can be kept. */
export const DeletionTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('answer'), sessionId: z.string(), questionId: z.number().int() }),
  z.object({ kind: z.literal('session'), sessionId: z.string() }),
  z.object({ kind: z.literal('user'), userId: z.string() }),
]);
export type DeletionTarget = z.infer<typeof DeletionTarget>;

/** A deletion that recording publishes to history. */
export const DeletionSnapshot = z.object({ target: DeletionTarget, revision: z.number().int().positive() });
export type DeletionSnapshot = z.infer<typeof DeletionSnapshot>;

/** The id of a deletion: the same for the same target, so that asking twice is harmless. */
export function deletionId(target: DeletionTarget): string {
  if (target.kind === 'answer') return `answer-${target.sessionId}-${target.questionId}`;
  return target.kind === 'session' ? `session-${target.sessionId}` : `user-${target.userId}`;
}

/** The ids of all deletions that would include one answer. */
export function deletionsOf({
  sessionId,
  questionId,
  userId,
}: {
  sessionId: string;
  questionId: number;
  userId: string;
}): string[] {
  const targets: DeletionTarget[] = [
    { kind: 'answer', sessionId, questionId },
    { kind: 'session', sessionId },
    { kind: 'user', userId },
  ];
  return targets.map(deletionId);
}

const recording = { service: 'recording', method: 'delete', access: 'signed-in' } as const;

/** Deletions of what was recorded. A user's account is deleted by auth. */
export const deletionRoutes = {
  deleteAnswer: defineRoute({
    ...recording,
    path: '/api/recordings/:recordingId',
    summary: 'Delete an answer with all its takes',
    description:
      'Deletes the media, the transcripts and the verdicts of every take of that question in the session. Only its owner and admins may. The question takes no more uploads in that session.',
    params: z.object({ recordingId: objectId }),
    errorStatuses: [404],
  }),
  deleteSession: defineRoute({
    ...recording,
    path: '/api/sessions/:id',
    summary: 'Delete a session with all its answers',
    description:
      "The id is that of the session's entry in the history. Only its owner and admins may. The session takes no more uploads.",
    params: z.object({ id: objectId }),
    errorStatuses: [404],
  }),
};
