import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { reviewedParts } from '@interview-prep/contracts/recording/recordings';
import { type ReviewAgreement, type ReviewItem, reviewRoutes } from '@interview-prep/contracts/recording/reviews';
import { type ShownVerdict, shownVerdict } from '@interview-prep/contracts/recording/shown-verdict';
import type { Review } from '@interview-prep/contracts/recording/verdict-review';
import { withoutQuestionPrefix } from '@interview-prep/contracts/text/question-text';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { requireVersion, versionOf } from '@interview-prep/kit/http/edit-version';
import { conflict, forbidden, notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { trusted } from 'mongoose';
import { requireFeedback } from '../assignments/show-feedback.ts';
import { cohenKappa, pearson } from '../grading/agreement.ts';
import type { RecordingModels } from '../models.ts';
import type { Recording } from '../recordings/model.ts';
import type { ReprocessDeps } from '../recordings/start-run.ts';
import type { Session } from '../sessions/model.ts';
import { withSessions } from '../sessions/with-sessions.ts';
import { isThere, listed, readQueue } from './review-queue.ts';
import { reviewChanges, saveReview, writeVerdict } from './save-review.ts';
import { serveSnippets } from './snippets.ts';

/** An answer's scores from the judge and from a reviewer, in percent. */
interface TwiceJudged {
  title: string;
  question: string;
  machine: number;
  person: number;
}

const verdictOf = (percentage: number): ShownVerdict =>
  shownVerdict({ isCorrect: true, correctnessPercentage: percentage }) ?? 'incorrect';

const rounded = (value: number | null, digits: number) => (value === null ? null : Number(value.toFixed(digits)));

const byDifference = (a: { difference: number }, b: { difference: number }) => b.difference - a.difference;

const stillProcessed = 'The answer is still being processed';
const reviewedMax = 10_000;

export function serveReviews(server: RouteServer, deps: Pick<ReprocessDeps, 'models' | 'outbox'>): void {
  const { models } = deps;
  serveSnippets(server, models);

  server.serve(reviewRoutes.appeal, async ({ params, body, user }) => {
    const recording = await models.recordings.findById(params.id);
    // Admins can't appeal: they review instead.
    if (!recording || recording.userId !== user.sub || recording.kind !== 'interview')
      throw notFound('Recording not found');
    if (recording.awaiting !== undefined || recording.assessment.status === 'pending') throw conflict(stillProcessed);
    await requireFeedback(recording, models);
    if (recording.assessment.appeal) throw conflict('You have already asked for a review');
    const appeal = { reason: body.reason, createdAt: new Date().toISOString() };
    const fields = { 'assessment.appeal': appeal, unannouncedAppeal: appeal.createdAt };
    await writeVerdict(recording, fields, deps);
    return { message: 'Review requested' };
  });

  server.serve(reviewRoutes.review, async ({ params, body, user, req, res }) => {
    const recording = await models.recordings.findById(params.id);
    if (recording?.kind !== 'interview') throw notFound('Recording not found');
    const by = await reviewerOf(recording, user, models);
    if (recording.awaiting !== undefined) throw conflict(stillProcessed);
    const { review } = recording.assessment;
    const last = { by: review?.reviewer?.email ?? null, at: review ? new Date(review.createdAt) : recording.updatedAt };
    requireVersion(req, reviewedParts(recording.assessment), last);
    const saved = await saveReview(recording, body, { by, reviewer: { userId: user.sub, email: user.email } }, deps);
    addToAudit(res, { details: { ...reviewChanges(recording, saved), session: String(recording.session) } });
    const { assessment } = saved;
    return { ...saved, assessment: { ...assessment, version: versionOf(reviewedParts(assessment)) } };
  });

  server.serve(reviewRoutes.overview, async () => {
    const open = {
      'assessment.appeal.createdAt': isThere,
      'assessment.review.createdAt': trusted({ $exists: false }),
    };
    const isFailed = { stageStatus: 'failed' as const };
    const isWaiting = { awaiting: trusted({ $exists: true }) };
    const { recordings } = models;
    const [appeals, oldest, failed, newest, waiting, longest] = await Promise.all([
      recordings.countDocuments(open),
      recordings.find(open).select(listed).sort({ 'assessment.appeal.createdAt': 1 }).limit(3).lean<Recording[]>(),
      recordings.countDocuments(isFailed),
      recordings.find(isFailed).sort({ createdAt: -1 }).limit(3).lean<Recording[]>(),
      recordings.countDocuments(isWaiting),
      recordings.findOne(isWaiting, 'createdAt').sort({ createdAt: 1 }).lean<Pick<Recording, 'createdAt'>>(),
    ]);
    const since = longest?.createdAt.toISOString() ?? null;
    return {
      appeals: { count: appeals, oldest: (await withSessions(oldest, models)).map(presentReviewItem) },
      failed: { count: failed, newest: (await withSessions(newest, models)).map(presentFailed) },
      waiting: { count: waiting, since },
    };
  });

  server.serve(reviewRoutes.reviewQueue, async ({ query, user }) => {
    const { recordings, total } = await readQueue(query, user, models);
    return { items: (await withSessions(recordings, models)).map(presentReviewItem), total };
  });

  server.serve(reviewRoutes.reviewAgreement, async () => {
    const reviewed = await models.recordings
      .find({ 'assessment.review.createdAt': isThere })
      .select(listed)
      .sort({ 'assessment.review.createdAt': -1 })
      .limit(reviewedMax)
      .lean<Recording[]>();
    const judged = (await withSessions(reviewed, models)).flatMap(({ recording, session }) => {
      const machine = recording.assessment.machine?.correctnessPercentage ?? null;
      const person = recording.assessment.review?.correctnessPercentage;
      const question = withoutQuestionPrefix(session.questions[recording.questionId] ?? '');
      return machine === null || person === undefined ? [] : [{ title: session.title, question, machine, person }];
    });
    return measureAgreement(judged);
  });
}

function presentReviewItem({ recording, session }: { recording: Recording; session: Session }): ReviewItem {
  const { assessment, assigned, questionId, correctnessPercentage } = recording;
  const { appeal, review, machine, points = [] } = assessment;
  return {
    cause: appeal ? 'appeal' : 'unsure',
    ...(assigned ? { groupId: assigned.groupId } : {}),
    recordingId: recording._id.toHexString(),
    interviewId: session._id.toHexString(),
    questionId,
    question: withoutQuestionPrefix(session.questions[questionId] ?? ''),
    title: session.title,
    email: session.user.email,
    createdAt: appeal?.createdAt ?? recording.createdAt.toISOString(),
    reason: appeal?.reason ?? '',
    ...(appeal?.automatic ? { automatic: true } : {}),
    machinePercentage: machine ? machine.correctnessPercentage : correctnessPercentage,
    reviewPercentage: review?.correctnessPercentage ?? null,
    ...(review ? { reviewed: { email: review.reviewer?.email ?? null, at: review.createdAt } } : {}),
    unsurePoints: points.filter(({ creditRange }) => creditRange).length,
  };
}

function presentFailed({ recording, session }: { recording: Recording; session: Session }) {
  const { _id, kind, questionId, createdAt, transcription, assessment } = recording;
  return {
    recordingId: _id.toHexString(),
    kind,
    interviewId: session._id.toHexString(),
    questionId,
    title: session.title,
    email: session.user.email,
    createdAt: createdAt.toISOString(),
    reason: transcription.error ?? assessment.reason ?? '',
  };
}

/**
 * The role in which a user may review an answer: as an admin, or as a coach of the group that it was assigned in, while its
 * candidate is a member.
 * @throws HttpError 403 for one's own answer, 404 for answers that they may not see
 */
async function reviewerOf(
  { session, userId }: Pick<Recording, 'session' | 'userId'>,
  { sub, role }: TokenClaims,
  { sessions, groups }: Pick<RecordingModels, 'sessions' | 'groups'>,
): Promise<Review['by']> {
  if (role === 'admin') return 'admin';
  if (userId === sub) throw forbidden('You may not review your own answers');
  const taken = await sessions.findById(session, 'assignment').lean();
  const group = taken?.assignment ? await groups.find(taken.assignment.groupId) : null;
  if (!group?.coaches.includes(sub) || !group.members.includes(userId)) throw notFound('Recording not found');
  return 'coach';
}

function figuresOf(answers: readonly TwiceJudged[]) {
  const [machines, people] = [answers.map(({ machine }) => machine), answers.map(({ person }) => person)];
  const total = answers.reduce((sum, { machine, person }) => sum + Math.abs(machine - person), 0);
  return {
    count: answers.length,
    pearson: rounded(answers.length < 2 ? null : pearson(machines, people), 3),
    kappa: rounded(cohenKappa(machines.map(verdictOf), people.map(verdictOf)), 3),
    difference: Number((total / answers.length).toFixed(1)),
  };
}

/** Measures the agreement between judge and reviewers: overall, by set and by question. */
function measureAgreement(answers: readonly TwiceJudged[]): ReviewAgreement {
  const sets = Map.groupBy(answers, ({ title }) => title);
  const questions = Map.groupBy(answers, ({ title, question }) => `${title}\n${question}`);
  return {
    all: answers.length === 0 ? null : figuresOf(answers),
    sets: [...sets].map(([title, ofSet]) => ({ title, ...figuresOf(ofSet) })).toSorted(byDifference),
    questions: [...questions.values()]
      .map((ofQuestion) => ({
        title: ofQuestion[0]!.title,
        question: ofQuestion[0]!.question,
        ...figuresOf(ofQuestion),
      }))
      .toSorted(byDifference),
  };
}
