import type { Word } from '@interview-prep/contracts/recording/recordings';
import type { Recording } from '../recordings/model.ts';
import { inItsSet, type Session } from '../sessions/model.ts';
import { findExpertAnswer } from '../sets/find-expert-answer.ts';
import type { StageDeps } from '../stages/run-stage.ts';

/** Judges the beginning of an answer, so that later only what is new takes time. */
export async function judgeSoFar(
  { kind, questionId }: Pick<Recording, 'kind' | 'questionId'>,
  session: Session,
  { text, words }: { text: string; words: readonly Word[] },
  { assessor, models, log }: StageDeps,
  signal: AbortSignal,
): Promise<void> {
  if (kind !== 'interview' || !assessor.worksAhead) return;
  const expert = await findExpertAnswer(inItsSet(session, questionId), questionId, models.sets);
  const question = session.questions[questionId] ?? '';
  const { text: expertAnswer, points } = expert ?? {};
  await assessor.assess({ question, transcript: text, words, expertAnswer, points, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    log.warn({ err: error }, 'could not judge the beginning of an answer');
  });
}
