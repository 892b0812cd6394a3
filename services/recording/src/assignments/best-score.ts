import { askedQuestionsOf } from '@interview-prep/contracts/recording/asked-questions';
import { isFeedbackShown } from '@interview-prep/contracts/recording/assignments';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { StoredAssignment } from './model.ts';

type ScoreModels = Pick<RecordingModels, 'sessions' | 'recordings'>;

/** The scores of complete takes whose feedback the member can already see, by set. A take is complete once all its answers are judged. */
async function scoresOf({ _id, sets }: StoredAssignment, userId: string, models: ScoreModels) {
  const takes = await models.sessions
    .find(
      { 'assignment.assignmentId': _id.toHexString(), userId },
      'kind setId questions askedQuestions followUps assignment',
    )
    .lean();
  const shown = takes.filter(({ assignment }) => isFeedbackShown(assignment));
  const answers = await models.recordings
    .find({ session: trusted({ $in: shown.map((take) => take._id) }) }, 'session questionId take correctnessPercentage')
    .sort({ take: 1 })
    .lean();
  const judged = sets
    .filter(({ kind }) => kind === 'interview')
    .map(({ setId }) => ({ setId, scores: [] as number[] }));
  for (const take of shown) {
    const own = answers.filter(({ session }) => String(session) === String(take._id));
    // Only the newest take of a question counts.
    const newest = new Map(own.map(({ questionId, correctnessPercentage }) => [questionId, correctnessPercentage]));
    const asked = askedQuestionsOf(take, [...newest.keys()]);
    const percentages = asked.flatMap((question) => newest.get(question) ?? []);
    if (asked.length === 0 || percentages.length < asked.length) continue;
    const score = percentages.reduce((sum, percentage) => sum + percentage, 0) / percentages.length;
    judged.find(({ setId }) => setId === take.setId)?.scores.push(score);
  }
  return judged.map(({ scores }) => (scores.length > 0 ? Math.max(...scores) : null));
}

/** Announces a member's best score for an assignment to external gradebooks. Does nothing until a take is complete. */
export async function announceScore(
  assignment: StoredAssignment,
  userId: string,
  { models, jobs }: { models: ScoreModels; jobs: JobProducer },
): Promise<void> {
  const bests = await scoresOf(assignment, userId, models);
  if (!bests.some((best) => best !== null)) return;
  const sum = bests.reduce<number>((total, best) => total + (best ?? 0), 0);
  await jobs.add('auth', 'assignment-score', {
    assignmentId: assignment._id.toHexString(),
    groupId: assignment.groupId,
    userId,
    score: Math.round((sum / bests.length) * 100) / 100,
    isComplete: bests.every((best) => best !== null),
    at: new Date().toISOString(),
  });
}

export async function announceScores(
  assignment: StoredAssignment,
  deps: { models: ScoreModels; jobs: JobProducer },
): Promise<void> {
  const members = await deps.models.sessions.distinct('userId', {
    'assignment.assignmentId': assignment._id.toHexString(),
  });
  for (const userId of members) await announceScore(assignment, userId, deps);
}
