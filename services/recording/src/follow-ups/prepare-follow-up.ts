import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import { expertSentence } from '@interview-prep/contracts/catalog/expert-sentence';
import { followUpsMax, parentQuestionOf } from '@interview-prep/contracts/recording/asked-questions';
import type { AssessmentUsage, Point } from '@interview-prep/contracts/recording/recordings';
import { withoutQuestionPrefix } from '@interview-prep/contracts/text/question-text';
import type { Assessor } from '../engines/assessor.ts';
import type { Recording } from '../recordings/model.ts';
import type { Session } from '../sessions/model.ts';
import type { NewFollowUp } from './add-follow-up.ts';

/** The minimum loss for a point to be asked about, in percentage points. */
const leastLoss = 10;
/** How many points to try, starting with the largest loss. */
const pointsTried = 3;

/** The score lost by a point, in percentage points. */
const lossOf = ({ weight, credit = 0 }: Point, points: readonly Point[]): number =>
  (weight ?? 100 / points.length) - credit;

/** The required points that an answer missed or partly made, largest loss first. */
function missedPoints(points: readonly Point[]): Point[] {
  return points
    .filter((point) => !point.optional && !point.covered && lossOf(point, points) >= leastLoss)
    .toSorted((a, b) => lossOf(b, points) - lossOf(a, points))
    .slice(0, pointsTried);
}

/** Whether this answer can get a follow-up question. Only its first judging counts: later, the interview is over. */
function awaitsFollowUp({ kind, run, questionId }: Recording, session: Session): boolean {
  const followUps = session.followUps ?? [];
  return (
    kind === 'interview' &&
    run === 1 &&
    session.asksFollowUps === true &&
    followUps.length < followUpsMax &&
    parentQuestionOf(session, questionId) === undefined &&
    !followUps.some(({ parentQuestionId }) => parentQuestionId === questionId)
  );
}

/**
 * A follow-up question about the point that cost a just judged answer the most. Its answer is judged on that point only.
 * @returns null if none should be asked, or the engine finds none
 * @throws the signal's reason if aborted
 */
export async function prepareFollowUp(
  {
    recording,
    session,
    points,
    expert,
  }: {
    recording: Recording;
    session: Session;
    points: readonly Point[];
    expert: { text: string; points: readonly ExpertPoint[] } | undefined;
  },
  { assessor, language, signal }: { assessor: Assessor; language: string; signal: AbortSignal },
): Promise<(NewFollowUp & { usage?: AssessmentUsage }) | null> {
  if (!awaitsFollowUp(recording, session)) return null;
  const { questionId, transcription } = recording;
  const question = withoutQuestionPrefix(session.questions[questionId] ?? '');
  for (const { text: point } of missedPoints(points)) {
    const asked = await assessor.askFollowUp({ question, transcript: transcription.text, point, language, signal });
    if (!asked) continue;
    const { before, after } = expertSentence(point, expert?.text ?? '');
    const kept = expert?.points.find(({ text }) => text === point);
    return {
      parentQuestionId: questionId,
      question: asked.text,
      expertAnswer: before + point + after,
      points: [{ text: point, weight: 1, acceptedWordings: kept?.acceptedWordings ?? [], optional: false }],
      ...(asked.usage ? { usage: asked.usage } : {}),
    };
  }
  return null;
}
