import type { RecordingModels } from '../models.ts';
import { inItsSet, type Session } from '../sessions/model.ts';
import { findExpertAnswer } from '../sets/find-expert-answer.ts';
import { sessionGlossary } from './session-glossary.ts';

/** What a speech engine should know of an answer: its language, by default `language`, and the terms that it may contain. */
export async function speechHints(
  whole: Session,
  questionId: number,
  { models, language }: { models: RecordingModels; language: string },
) {
  const session = inItsSet(whole, questionId);
  const expertAnswer = await findExpertAnswer(session, questionId, models.sets);
  return {
    language: session.language ?? language,
    glossary: sessionGlossary(session, questionId, expertAnswer?.text),
  };
}
