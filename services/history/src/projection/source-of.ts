import type { SessionSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { QuestionSource } from '@interview-prep/contracts/recording/question-sources';

/** The set that a session's question is from, and its place there: the session's own set, unless it mixes several. */
export function sourceOf(
  session: Pick<SessionSnapshot, 'setId' | 'title' | 'technology' | 'sources'>,
  questionId: number,
): QuestionSource {
  const { setId, title, technology } = session;
  return session.sources?.[questionId] ?? { setId, title, technology, questionId };
}
