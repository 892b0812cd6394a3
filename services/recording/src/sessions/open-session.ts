import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { setOptionsOf } from '@interview-prep/contracts/catalog/sets';
import { parentQuestionOf } from '@interview-prep/contracts/recording/asked-questions';
import { mixedSetId, mixedTechnology } from '@interview-prep/contracts/recording/mixed-sessions';
import type { NamedQuestion } from '@interview-prep/contracts/recording/question-sources';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { forbidden, invalidField, notFound } from '@interview-prep/kit/http/http-error';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { HydratedDocument } from 'mongoose';
import { assignmentOf, freeTakeKey } from '../assignments/begin-assigned.ts';
import type { RecordingModels } from '../models.ts';
import { findSet } from '../sets/find-set.ts';
import { contentOf, type SetContent } from '../sets/model.ts';
import { eraseDetails } from '../users/forget-user.ts';
import type { Session, SessionSource } from './model.ts';

/** One question of a mixed session with its content and options. */
interface MixedQuestion extends Required<Pick<SetContent, 'title' | 'technology'>> {
  question: string;
  expertAnswer: string;
  points: NonNullable<SetContent['expertPoints']>[number];
  source: SessionSource;
}

/** The target of an upload: its session, set and question. */
export interface UploadTarget {
  kind: SessionKind;
  sessionId: string;
  setId: string;
  questionId: number;
  /** The `updatedAt` of the set that the candidate was shown, if the upload names it. */
  setUpdatedAt?: string | undefined;
  /** The questions that the session asks, if not the whole set; used by its first upload. */
  askedQuestions?: readonly number[] | undefined;
  /** The questions of a session that mixes several sets; used by its first upload. */
  sources?: readonly NamedQuestion[] | undefined;
  /** The assignment that the session is for; used by its first upload. */
  assignmentId?: string | undefined;
}

const unknownSet = { interview: 'Interview set not found', practice: 'Practice set not found' } as const;

/**
 * Finds the session of an upload. For a first upload, prepares one from the set revision that was shown; `beginSession` writes it.
 * From then on the session's own questions apply, even if the set changes.
 * @throws HttpError 403 for someone else's session or one of another set, 404 for an unknown set, 400 for an unknown question;
 * for an assignment as `assignmentOf` does
 */
export async function findSession(
  models: RecordingModels,
  target: UploadTarget,
  user: TokenClaims,
  setPatienceMs: number,
): Promise<HydratedDocument<Session>> {
  const session =
    (await models.sessions.findOne({ sessionId: target.sessionId })) ??
    (await newSession(models, target, user, setPatienceMs));
  checkTarget(session, target, user);
  return session;
}

/**
 * Writes a new session, unless a concurrent upload was faster.
 * @returns the session that is stored
 * @throws HttpError 403 if the faster upload was someone else's, or of another set; 409 if it used the last take
 */
export async function beginSession(
  models: RecordingModels,
  session: HydratedDocument<Session>,
  target: UploadTarget,
  user: TokenClaims,
): Promise<HydratedDocument<Session>> {
  while (session.isNew) {
    const takeKey = await freeTakeKey(models, session);
    if (takeKey !== undefined) session.takeKey = takeKey;
    try {
      await session.save();
      // The user may have been deleted since `findSession`, before this session existed to be erased.
      if (await models.deletedUsers.exists({ _id: user.sub })) await eraseDetails(user.sub, models);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const faster = await models.sessions.findOne({ sessionId: target.sessionId });
      if (faster) {
        checkTarget(faster, target, user);
        return faster;
      }
    }
  }
  return session;
}

function checkTarget(session: Session, { kind, setId, questionId }: UploadTarget, user: TokenClaims): void {
  if (session.userId !== user.sub) throw forbidden('This session belongs to someone else');
  if (session.kind !== kind || session.setId !== setId) throw forbidden('This session was begun with another set');
  if (questionId >= session.questions.length) throw invalidField('questionId', 'The set has no such question');
  if (!asks(session, questionId)) {
    throw invalidField('questionId', 'This session does not ask that question');
  }
}

/** Whether a session asks one of its questions. A follow-up question without text was deleted. */
function asks(session: Session, questionId: number): boolean {
  if (parentQuestionOf(session, questionId) !== undefined) return session.questions[questionId] !== '';
  return session.askedQuestions?.includes(questionId) ?? true;
}

async function newSession(models: RecordingModels, target: UploadTarget, user: TokenClaims, setPatienceMs: number) {
  const { kind, sessionId, setId, askedQuestions, sources } = target;
  const content = sources
    ? await mixSets(models, { setId, sources }, setPatienceMs)
    : await contentOfSet(models, target, setPatienceMs);
  if (askedQuestions?.some((asked) => asked >= content.questions.length))
    throw invalidField('askedQuestions', 'The set has no such question');
  const assignment = await assignmentOf(models, target, user);
  const deleted = await models.deletedUsers.exists({ _id: user.sub });
  return new models.sessions({
    sessionId,
    kind,
    setId,
    ...content,
    // A follow-up question would reveal what the answer missed.
    ...(assignment && assignment.feedback !== 'at-once' ? { asksFollowUps: undefined } : {}),
    ...(assignment ? { assignment } : {}),
    ...(askedQuestions && askedQuestions.length < content.questions.length ? { askedQuestions } : {}),
    userId: user.sub,
    user: deleted
      ? { email: null, role: null, lastLogin: null }
      : { email: user.email, role: user.role, lastLogin: user.lastLogin === null ? null : new Date(user.lastLogin) },
    createdAt: new Date(),
    revision: 1,
  });
}

async function contentOfSet(models: RecordingModels, target: UploadTarget, patienceMs: number): Promise<SetContent> {
  const set = await findSet(models, target, patienceMs);
  if (!set) throw notFound(unknownSet[target.kind]);
  return contentOf(set);
}

/**
 * The content of a session that mixes questions from several interview sets: each question as shown to the candidate, with
 * its expert answer and points.
 * @throws HttpError 400 for the id of another set and for a question that is not in its set, 404 for an unknown set
 */
async function mixSets(
  models: RecordingModels,
  { setId, sources }: { setId: string; sources: readonly NamedQuestion[] },
  patienceMs: number,
): Promise<SetContent & Pick<Session, 'sources'>> {
  if (setId !== mixedSetId)
    throw invalidField('interviewSetId', `A session with sources has the interviewSetId ${mixedSetId}`);
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
  const shown = { setId: setId.toLowerCase(), kind: 'interview', setUpdatedAt } as const;
  const set = await findSet(models, shown, patienceMs);
  if (!set) throw notFound('Interview set not found');
  const { title, technology } = set;
  const question = set.questions[questionId];
  if (question === undefined) throw invalidField('sources', 'The set has no such question');
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
