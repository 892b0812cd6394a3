import { setOptionsOf } from '@interview-prep/contracts/catalog/sets';
import { mixedSetId, mixedTechnology } from '@interview-prep/contracts/recording/mixed-sessions';
import type { NamedQuestion } from '@interview-prep/contracts/recording/question-sources';
import { badRequest, notFound } from '@interview-prep/kit/http/http-error';
import type { RecordingModels } from '../models.ts';
import { findSet } from '../sets/find-set.ts';
import type { SetContent } from '../sets/model.ts';
import type { Session, SessionSource } from './model.ts';

/** One question of a mixed session with what belongs to it. */
interface MixedQuestion extends Required<Pick<SetContent, 'title' | 'technology'>> {
  question: string;
  expertAnswer: string;
  points: NonNullable<SetContent['expertPoints']>[number];
  source: SessionSource;
}

/**
 * The content of a session that mixes questions of several interview sets: each question as its candidate was shown it, with
 * its expert answer and points.
 * @throws HttpError 400 for the id of another set and for a question that is not in its set, 404 for an unknown set
 */
export async function mixSets(
  models: RecordingModels,
  { setId, sources }: { setId: string; sources: readonly NamedQuestion[] },
  patienceMs: number,
): Promise<SetContent & Pick<Session, 'sources'>> {
  if (setId !== mixedSetId) {
    const message = `A session with sources has the interviewSetId ${mixedSetId}`;
    throw badRequest(message, [{ path: 'interviewSetId', message }]);
  }
  const mixed = await Promise.all(sources.map((one) => findQuestion(models, one, patienceMs)));
  const technologies = new Set(mixed.map(({ technology }) => technology));
  const [technology = mixedTechnology] = technologies;
  return {
    title: `Review of ${mixed.length} ${mixed.length === 1 ? 'question' : 'questions'}`,
    technology: technologies.size === 1 ? technology : mixedTechnology,
    questions: mixed.map(({ question }) => question),
    expertAnswers: mixed.map(({ expertAnswer }) => expertAnswer),
    expertPoints: mixed.map(({ points }) => points),
    sources: mixed.map(({ source }) => source),
  };
}

async function findQuestion(
  models: RecordingModels,
  { setId, questionId, setUpdatedAt }: NamedQuestion,
  patienceMs: number,
): Promise<MixedQuestion> {
  const shownUpdatedAt = setUpdatedAt === undefined ? undefined : new Date(setUpdatedAt);
  const set = await findSet(models, { setId: setId.toLowerCase(), kind: 'interview', shownUpdatedAt, patienceMs });
  if (!set) throw notFound('Interview set not found');
  const { title, technology } = set;
  const question = set.questions[questionId];
  if (question === undefined) {
    const message = 'The set has no such question';
    throw badRequest(message, [{ path: 'sources', message }]);
  }
  return {
    title,
    technology,
    question,
    expertAnswer: set.expertAnswers[questionId] ?? '',
    points: set.expertPoints?.[questionId] ?? [],
    source: {
      setId: setId.toLowerCase(),
      title,
      technology,
      questionId,
      ...setOptionsOf({ ...set, asksFollowUps: false }),
    },
  };
}
