import type { SessionSnapshot } from '@interview-prep/contracts/snapshots';
import type { Session } from './model.ts';

/** A session's head as history is told of it. */
export function sessionSnapshot(session: Session): SessionSnapshot {
  const { sessionId, kind, setId, title, technology, questions, expertAnswers, userId, user, revision } = session;
  return {
    entryId: session._id.toHexString(),
    ...{ sessionId, kind, setId, title, technology, userId, revision },
    questions: [...questions],
    expertAnswers: [...expertAnswers],
    user: {
      email: user.email ?? null,
      role: user.role ?? null,
      lastLogin: user.lastLogin?.toISOString() ?? null,
    },
    createdAt: session.createdAt.toISOString(),
  };
}
