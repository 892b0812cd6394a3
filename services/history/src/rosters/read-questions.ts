import { expertSentence } from '@interview-prep/contracts/catalog/expert-sentence';
import type { RosterAnswer, RosterQuestion } from '@interview-prep/contracts/history/rosters';
import { ownQuestionCount } from '@interview-prep/contracts/recording/asked-questions';
import { questionKey, withoutQuestionPrefix } from '@interview-prep/contracts/text/question-text';
import { type QueryFilter, trusted } from 'mongoose';
import type { AnswerFigures, HistoryModels, SessionEntry } from '../projection/model.ts';

/** The number of most-missed points listed per question. */
const missedMax = 5;

const fields = ['userId', 'kind', 'setId', 'createdAt', 'questions', 'followUps', 'answers'] as const;
type AnsweredSession = Pick<SessionEntry, '_id' | (typeof fields)[number]>;

/** A question with the newest answer of each member. */
interface Answers {
  /** The newest session that has the question, and the question's index there. */
  session: AnsweredSession;
  questionId: number;
  byUser: Map<string, { session: AnsweredSession; figures: AnswerFigures }>;
}

/** The answers to each question of these sessions, in the order of the sets' questions. */
export async function readQuestions(
  filter: QueryFilter<SessionEntry>,
  { sessions }: HistoryModels,
): Promise<RosterQuestion[]> {
  const found = await sessions
    .find(filter)
    .select([...fields])
    .sort({ createdAt: -1, _id: -1 })
    .lean<AnsweredSession[]>();
  const questions = answersOf(found);
  // Expert answers are long, and only a few sessions' are needed.
  const newest = [...new Set(questions.map(({ session }) => session._id))];
  const texts = await sessions
    .find({ _id: trusted({ $in: newest }) })
    .select('expertAnswers')
    .lean();
  return questions.map((question) => {
    const { expertAnswers = [] } = texts.find(({ _id }) => _id.equals(question.session._id)) ?? {};
    return figuresOf(question, expertAnswers[question.questionId] ?? '');
  });
}

/** @param sessions newest first */
function answersOf(sessions: readonly AnsweredSession[]): Answers[] {
  const known = new Map<string, Answers>();
  for (const session of sessions) {
    const figures = new Map((session.answers ?? []).map((each) => [each.questionId, each]));
    for (const [questionId, question] of session.questions.slice(0, ownQuestionCount(session)).entries()) {
      // Match by text: if the set changed between takes, the index may belong to another question.
      const key = `${session.setId} ${questionKey(question)}`;
      const its = known.get(key) ?? { session, questionId, byUser: new Map() };
      known.set(key, its);
      const answer = figures.get(questionId);
      if (answer && !its.byUser.has(session.userId)) its.byUser.set(session.userId, { session, figures: answer });
    }
  }
  return [...Map.groupBy(known.values(), ({ session }) => session.setId).values()].flat();
}

function figuresOf({ session, questionId, byUser }: Answers, expertAnswer: string): RosterQuestion {
  const answers = [...byUser].map(([userId, { session: takenIn, figures }]) => ({
    userId,
    score: figures.percentage === null ? null : Math.round(figures.percentage),
    pending: figures.pending,
    reviewed: figures.reviewed,
    machineScore: figures.machinePercentage === undefined ? null : Math.round(figures.machinePercentage),
    durationMs: figures.durationMs,
    sessionId: takenIn._id.toHexString(),
    questionId: figures.questionId,
  }));
  const scores = answers.flatMap(({ score }) => score ?? []);
  const fifthOf = (score: number) => Math.min(4, Math.floor(score / 20));
  return {
    kind: session.kind,
    setId: session.setId,
    question: withoutQuestionPrefix(session.questions[questionId] ?? ''),
    answers,
    engines: [...new Set([...byUser.values()].flatMap(({ figures }) => figures.engine ?? []))].sort(),
    mean: scores.length === 0 ? null : Math.round(scores.reduce((sum, score) => sum + score, 0) / scores.length),
    fifths: [0, 1, 2, 3, 4].map((fifth) => scores.filter((score) => fifthOf(score) === fifth).length),
    missed: missedMost([...byUser.values()].map(({ figures }) => figures)).map(({ text: point, ...counts }) => {
      const { before, point: text, after } = expertSentence(point, expertAnswer);
      return { text, before, after, ...counts };
    }),
    lengths: lengthsOf(answers),
    listen: listenTo(answers),
  };
}

/** The most-missed points: how many answers missed each, and out of how many. */
function missedMost(answers: readonly AnswerFigures[]): { text: string; times: number; of: number }[] {
  const judged = answers.filter(({ percentage }) => percentage !== null);
  const times = countEach(judged.flatMap(({ missed }) => missed));
  const of = countEach(judged.flatMap(({ made, missed }) => [...made, ...missed]));
  return [...times]
    .map(([text, count]) => ({ text, times: count, of: of.get(text) ?? count }))
    .sort((a, b) => b.times - a.times || b.times / b.of - a.times / a.of)
    .slice(0, missedMax);
}

function countEach(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function lengthsOf(answers: readonly RosterAnswer[]): RosterQuestion['lengths'] {
  const known = answers
    .filter(({ durationMs }) => durationMs !== null)
    .sort((a, b) => (a.durationMs ?? 0) - (b.durationMs ?? 0));
  const [shortest, longest] = [known[0], known.at(-1)];
  return shortest && longest && shortest !== longest ? { longest: longest.userId, shortest: shortest.userId } : null;
}

/** The best and the weakest answer, and of the others the one nearest to the median. */
function listenTo(answers: readonly RosterAnswer[]): RosterQuestion['listen'] {
  const scored = answers
    .flatMap(({ userId, score }) => (score === null ? [] : [{ userId, score }]))
    .sort((a, b) => a.score - b.score);
  const [weakest, typical, best] = [scored[0], scored[Math.floor((scored.length - 1) / 2)], scored.at(-1)];
  return scored.length >= 3 && weakest && typical && best
    ? { best: best.userId, typical: typical.userId, weakest: weakest.userId }
    : null;
}
