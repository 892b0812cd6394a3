import { unknownTechnology } from '@interview-prep/contracts/catalog/technologies';
import type { MissedPoint, Progress, TechnologyProgress, TrendPoint } from '@interview-prep/contracts/history/progress';
import { trusted } from 'mongoose';
import { averageOf } from '../projection/count-session.ts';
import type {
  AnsweredQuestion,
  HistoryModels,
  QuestionScore,
  SessionEntry,
  TechnologyResult,
} from '../projection/model.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * The number of consecutive calendar days with at least one of these times, up to today, or up to yesterday if today has none yet.
 * @param timeZone the IANA name of the time zone that days are counted in
 */
export function streakDays(times: readonly Date[], timeZone: string, now: Date): number {
  // Swedish dates have the ISO 8601 format.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const numberOf = (time: Date) => Date.parse(format.format(time)) / dayMs;
  const days = new Set(times.map(numberOf));
  const today = numberOf(now);
  const last = days.has(today) ? today : today - 1;
  let count = 0;
  while (days.has(last - count)) count += 1;
  return count;
}

/** The maximum numbers of sessions, questions, trend entries (newest first), and missed points (worst first). */
const max = { sessions: 1000, questions: 2000, trend: 30, missed: 5 };

const sessionFields = ['kind', 'title', 'createdAt', 'results'] as const;
type CountedSession = Pick<SessionEntry, '_id' | (typeof sessionFields)[number]>;

const questionFields = [
  'question',
  'technology',
  'entryId',
  'questionId',
  'answeredAt',
  'percentage',
  'edited',
  'reviewed',
  'scores',
  'missed',
] as const;
type CountedQuestion = Pick<AnsweredQuestion, (typeof questionFields)[number]>;

/**
 * A user's progress, from the totals in `sessions` and `answeredQuestions`. Reads no recordings, so the cost doesn't depend on
 * the number of takes.
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
      .select([...sessionFields])
      .lean<CountedSession[]>(),
    answeredQuestions
      .find({ userId })
      .limit(max.questions)
      .select([...questionFields])
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
      ...progressIn(its, answered.get(technology) ?? []),
    })),
  };
}

function progressIn(
  results: readonly { session: CountedSession; result: TechnologyResult }[],
  questions: readonly CountedQuestion[],
): Omit<TechnologyProgress, 'technology'> {
  const soFar = averagesSoFar(questions);
  const trend = results.flatMap(
    ({
      session: { _id, kind, title, createdAt },
      result: { average, judgedCount, editedCount = 0, reviewedCount = 0 },
    }) => {
      const interviewId = _id.toHexString();
      const known = soFar.get(interviewId);
      return kind === 'interview' && average !== null && known
        ? [
            {
              interviewId,
              title,
              createdAt: createdAt.toISOString(),
              average,
              judgedCount,
              editedCount,
              reviewedCount,
              soFar: known,
            },
          ]
        : [];
    },
  );
  return {
    sessionCount: results.length,
    spokenMs: results.reduce((sum, { result }) => sum + result.spokenMs, 0),
    questionCount: questions.length,
    average: averageOf(questions.map(({ percentage }) => percentage)),
    editedCount: questions.filter(({ edited }) => edited).length,
    reviewedCount: questions.filter(({ reviewed }) => reviewed).length,
    repeated: repeatedOf(questions),
    trend: trend.slice(0, max.trend).reverse(),
    missed: mostMissed(questions),
  };
}

const scoresOf = ({ scores, entryId, answeredAt, percentage }: CountedQuestion): QuestionScore[] =>
  scores ?? [{ entryId, at: answeredAt, percentage }];

/** For each session id: the average, after that session, of the newest score of each question answered so far. */
function averagesSoFar(questions: readonly CountedQuestion[]): Map<string, TrendPoint['soFar']> {
  const scores = questions.flatMap((question) => scoresOf(question).map((score) => ({ question, ...score })));
  const sessions = [...Map.groupBy(scores, ({ entryId }) => entryId.toHexString())]
    .map(([id, its]) => ({ id, its, endedAt: Math.max(...its.map(({ at }) => at.getTime())) }))
    .sort((a, b) => a.endedAt - b.endedAt);
  const newest = new Map<CountedQuestion, number>();
  return new Map(
    sessions.map(({ id, its }) => {
      for (const { question, percentage } of its) newest.set(question, percentage);
      return [id, { average: averageOf([...newest.values()]) ?? 0, questionCount: newest.size }];
    }),
  );
}

/** The average first and latest scores of questions answered in several interviews. */
function repeatedOf(questions: readonly CountedQuestion[]): TechnologyProgress['repeated'] {
  const all = questions.map(scoresOf).filter(({ length }) => length > 1);
  const [first, now] = [0, -1].map((place) => averageOf(all.flatMap((scores) => scores.at(place)?.percentage ?? [])));
  return typeof first === 'number' && typeof now === 'number' ? { questionCount: all.length, first, now } : null;
}

/** The points missed most often; ties go to the weaker answer. */
function mostMissed(questions: readonly CountedQuestion[]): MissedPoint[] {
  return questions
    .flatMap(({ missed, ...rest }) => missed.map((point) => ({ ...point, ...rest })))
    .sort((a, b) => b.times - a.times || a.percentage - b.percentage)
    .slice(0, max.missed)
    .map(({ text, before = '', after = '', times, question, entryId, questionId }) => ({
      text,
      before,
      after,
      times,
      question,
      interviewId: entryId.toHexString(),
      questionId,
    }));
}
