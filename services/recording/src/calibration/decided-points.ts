import { stateOf } from '@interview-prep/contracts/recording/point-states';
import type { PointState } from '@interview-prep/contracts/recording/recordings';
import { withoutQuestionPrefix } from '@interview-prep/contracts/text/question-text';
import { trusted } from 'mongoose';
import type { PointFigures } from '../engines/thresholds.ts';
import type { RecordingModels } from '../models.ts';
import type { Recording } from '../recordings/model.ts';
import { withSessions } from '../sessions/with-sessions.ts';

/** A point that an admin decided: a labelled example of this installation. */
export interface DecidedPoint {
  recordingId: string;
  engine: string | undefined;
  /** Of the set. */
  title: string;
  question: string;
  point: string;
  /** What the judge made of the whole answer; absent where it gives no figures. */
  figures: PointFigures | undefined;
  judgeState: PointState;
  personState: PointState;
}

/** Decisions about verdicts of older judges say nothing of today's wordings. */
const wordRules = ['reference', 'reference 0.1 (word rules)'];
/** More would hold up the process that fits thresholds to them: 500 answers take a quarter of a second. */
const recordingsMax = 500;
const fields = ['text', 'made', 'contradicted', 'state', 'covered', 'machine.state', 'review.before.state'];
const selected = `session questionId assessment.engine ${fields.map((name) => `assessment.points.${name}`).join(' ')}`;

/**
 * The points that admins decided, newest reviews first. They are read from the recordings, and so end with them. What
 * candidates claim and guests say does not count.
 */
export async function findDecidedPoints(models: RecordingModels): Promise<DecidedPoint[]> {
  const reviewed = await models.recordings
    .find({
      'assessment.review.createdAt': trusted({ $exists: true }),
      'assessment.review.by': 'admin',
      'assessment.engine': trusted({ $nin: wordRules }),
    })
    .select(selected)
    .sort({ 'assessment.review.createdAt': -1 })
    .limit(recordingsMax)
    .lean<Recording[]>();
  return (await withSessions(reviewed, models)).flatMap(({ recording, session }) =>
    (recording.assessment.points ?? []).flatMap((point): DecidedPoint[] => {
      const { text, made, contradicted, machine, review } = point;
      if (!review) return [];
      return [
        {
          recordingId: recording._id.toHexString(),
          engine: recording.assessment.engine,
          title: session.title,
          question: withoutQuestionPrefix(session.questions[recording.questionId] ?? ''),
          point: text,
          figures: made === undefined || contradicted === undefined ? undefined : { made, contradicted },
          // Where a claim had raised the point, the judge's own state is `machine`.
          judgeState: machine?.state ?? review.before.state,
          personState: stateOf(point),
        },
      ];
    }),
  );
}
