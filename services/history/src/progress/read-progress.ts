import { unknownTechnology } from '@interview-prep/contracts/catalog/technologies';
import type { MissedPoint, Progress, TechnologyProgress } from '@interview-prep/contracts/history/progress';
import { trusted } from 'mongoose';
import type { AnsweredQuestion, HistoryModels, SessionEntry, TechnologyResult } from '../projection/model.ts';
import { streakDays } from './streak-days.ts';

/** How many sessions, questions, interviews of a trend, and points are read: of each the newest or worst. */
const max = { sessions: 1000, questions: 2000, trend: 30, missed: 5 };

type CountedSession = Pick<SessionEntry, '_id' | 'kind' | 'title' | 'createdAt' | 'results'>;
type CountedQuestion = Pick<
  AnsweredQuestion,
  'question' | 'technology' | 'entryId' | 'questionId' | 'percentage' | 'missed'
>;

/**
 * A user's progress from what each event left in `sessions` and `answeredQuestions`: no answer is read, so the number of
 * takes does not matter.
 */
export async function readProgress(
  { userId, timeZone, now }: { userId: string; timeZone: string; now: Date },
  { sessions, answeredQuestions }: HistoryModels,
): Promise<Omit<Progress, 'latest'>> {
  const [found, questions] = await Promise.all([
    sessions
      .find({ userId, listKind: trusted({ $ne: null }) })
      .sort({ createdAt: -1 })
      .limit(max.sessions)
      .select('kind title createdAt results')
      .lean<CountedSession[]>(),
    answeredQuestions
      .find({ userId })
      .limit(max.questions)
      .select('question technology entryId questionId percentage missed')
      .lean<CountedQuestion[]>(),
  ]);
  const results = found.flatMap((session) => (session.results ?? []).map((result) => ({ session, result })));
  const known = results.filter(({ result: { technology } }) => technology !== '' && technology !== unknownTechnology);
  const answered = Map.groupBy(questions, ({ technology }) => technology);
  return {
    streakDays: streakDays(
      found.map(({ createdAt }) => createdAt),
      timeZone,
      now,
    ),
    spokenMs: known.reduce((sum, { result }) => sum + result.spokenMs, 0),
    sessionCount: found.length,
    // Newest first, as the sessions are.
    technologies: [...Map.groupBy(known, ({ result }) => result.technology)].map(([technology, its]) => ({
      technology,
      ...progressIn(its),
      questionCount: answered.get(technology)?.length ?? 0,
      missed: mostMissed(answered.get(technology) ?? []),
    })),
  };
}

function progressIn(
  results: readonly { session: CountedSession; result: TechnologyResult }[],
): Pick<TechnologyProgress, 'sessionCount' | 'spokenMs' | 'trend'> {
  const trend = results.flatMap(
    ({ session: { _id, kind, title, createdAt }, result: { average, judgedCount, editedCount = 0 } }) =>
      kind === 'interview' && average !== null
        ? [
            {
              interviewId: _id.toHexString(),
              title,
              createdAt: createdAt.toISOString(),
              average,
              judgedCount,
              editedCount,
            },
          ]
        : [],
  );
  return {
    sessionCount: results.length,
    spokenMs: results.reduce((sum, { result }) => sum + result.spokenMs, 0),
    trend: trend.slice(0, max.trend).reverse(),
  };
}

/** The points missed in most answers; of equal ones those of the weakest answer. */
function mostMissed(questions: readonly CountedQuestion[]): MissedPoint[] {
  return questions
    .flatMap(({ missed, ...rest }) => missed.map((point) => ({ ...point, ...rest })))
    .sort((a, b) => b.times - a.times || a.percentage - b.percentage)
    .slice(0, max.missed)
    .map(({ text, times, question, entryId, questionId }) => ({
      text,
      times,
      question,
      interviewId: entryId.toHexString(),
      questionId,
    }));
}
