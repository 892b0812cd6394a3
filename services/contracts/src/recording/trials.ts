import { z } from 'zod';
import { objectId, requiredText, timestamp } from '../api/fields.ts';
import { limits } from '../api/limits.ts';
import { routesOf } from '../api/route.ts';
import { ExpertPoint, expertPointsMax } from '../catalog/expert-points.ts';
import { CreditRange, Point } from './recordings.ts';

/** Maximum length of a trial answer, in characters. */
export const trialAnswerMaxLength = 5000;

const question = requiredText('Question', limits.questionMaxLength);
const points = z
  .array(ExpertPoint, 'Points are required')
  .min(1, 'At least one point is required')
  .max(expertPointsMax, `At most ${expertPointsMax} points`);

/** An answer to test points against: typed, or the transcript of a recording. */
export const NewTrial = z
  .object({
    question,
    points,
    answer: requiredText('Answer', trialAnswerMaxLength).optional(),
    recordingId: objectId.optional(),
  })
  .refine(({ answer, recordingId }) => (answer === undefined) !== (recordingId === undefined), {
    message: 'Either an answer or a recordingId is required',
    path: ['answer'],
  });
export type NewTrial = z.infer<typeof NewTrial>;

/** The judge's verdict on an answer. `correctnessPercentage` is 0–100; null if unscored, and `reason` says why. */
export const TrialVerdict = z.object({
  correctnessPercentage: z.number().nullable(),
  range: CreditRange.optional(),
  points: z.array(Point),
  engine: z.string(),
  reason: z.string().optional(),
});
export type TrialVerdict = z.infer<typeof TrialVerdict>;

/**
 * A judge's job for a trial. `trialId` is a UUID; without `answer` the recording's transcript is judged. The request
 * times out at `deadlineMs`, in milliseconds since 1970.
 */
export const TrialJob = z.object({
  trialId: z.uuid(),
  deadlineMs: z.number().int(),
  question: z.string(),
  points: z.array(ExpertPoint),
  answer: z.string().optional(),
  recordingId: z.string().optional(),
});
export type TrialJob = z.infer<typeof TrialJob>;

/** An earlier answer to a question. `correctnessPercentage` is null if unscored. */
export const EarlierAnswer = z.object({
  recordingId: z.string(),
  createdAt: timestamp,
  correctnessPercentage: z.number().nullable(),
  firstWords: z.string(),
});
export type EarlierAnswer = z.infer<typeof EarlierAnswer>;

/** Maximum number of earlier answers listed. */
export const earlierAnswersMax = 20;

const recording = routesOf('recording');
const late = 'Returns 503 with Retry-After if no worker is free in time. Nothing is stored.';

/** Routes for testing the points of an expert answer before saving them. */
export const trialRoutes = {
  tryPoints: recording.post('/api/recordings/trials', 'admin', {
    summary: 'Test which points an answer would earn',
    description: `Judges a typed answer, or the transcript of a recording, against points that need not be saved. 404 if there is no such recording, or it has no transcript. ${late}`,
    body: NewTrial,
    result: TrialVerdict,
    errorStatuses: [404, 429],
  }),
  checkPoints: recording.post('/api/recordings/trials/question-check', 'admin', {
    summary: 'Find points that the question itself already makes',
    description: `Such points can be earned by repeating the question. \`inQuestion\` is parallel to the points. ${late}`,
    body: z.object({ question, points }),
    result: z.object({ inQuestion: z.array(z.boolean()) }),
    errorStatuses: [429],
  }),
  listEarlierAnswers: recording.post('/api/recordings/trials/earlier-answers', 'admin', {
    summary: 'Earlier answers to a question of a set',
    description: `The ${earlierAnswersMax} newest answers with a transcript, of the newest interviews with this set. The question is found by its text, whatever its number and punctuation.`,
    body: z.object({ setId: objectId, question }),
    result: z.object({ answers: z.array(EarlierAnswer) }),
  }),
};
