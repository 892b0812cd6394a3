import {
  type Calibration,
  type CalibrationFit,
  decisionsNeeded,
  type OverruledPoint,
} from '@interview-prep/contracts/recording/calibration';
import { stateOf } from '@interview-prep/contracts/recording/point-states';
import type { PointState } from '@interview-prep/contracts/recording/recordings';
import { withoutQuestionPrefix } from '@interview-prep/contracts/text/question-text';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { Logger } from '@interview-prep/kit/process/logger';
import { repeat } from '@interview-prep/kit/process/repeat';
import { trusted } from 'mongoose';
import type { PointFigures } from '../engines/thresholds.ts';
import type { RecordingModels } from '../models.ts';
import type { Recording } from '../recordings/model.ts';
import { withSessions } from '../sessions/with-sessions.ts';
import type { CalibratedJudge } from './built-in-judge.ts';
import { type Example, fitThresholds } from './fit-thresholds.ts';

/** A point that an admin decided: a labeled example of this installation. */
interface DecidedPoint {
  recordingId: string;
  engine: string | undefined;
  /** The set's title. */
  title: string;
  question: string;
  point: string;
  /** The judge's figures for the whole answer; undefined if it provides none. */
  figures: PointFigures | undefined;
  judgeState: PointState;
  personState: PointState;
}

/** Older judges that compared words: decisions about their verdicts say nothing about the current one. */
const wordRules = ['reference', 'reference 0.1 (word rules)'];

/** Fitting blocks the event loop: 500 answers take a quarter of a second. */
const recordingsMax = 500;

const fields = ['text', 'made', 'contradicted', 'state', 'covered', 'machine.state', 'review.before.state'];

const selected = `session questionId assessment.engine ${fields.map((name) => `assessment.points.${name}`).join(' ')}`;

const shownMax = 20;

function summarize(decided: readonly DecidedPoint[]): OverruledPoint[] {
  const overruled = decided.filter(({ judgeState, personState }) => judgeState !== personState);
  const [first] = overruled;
  if (!first) return [];
  const states = [...Map.groupBy(overruled, ({ personState }) => personState)];
  const [state] = states.toSorted(([, one], [, other]) => other.length - one.length)[0]!;
  const { title, question, point } = first;
  return [{ title, question, point, decisions: decided.length, overruled: overruled.length, state }];
}

/** The points on which reviewers most often overruled the judge. */
function overruledPoints(decided: readonly DecidedPoint[]): OverruledPoint[] {
  const byPoint = Map.groupBy(decided, ({ title, question, point }) => JSON.stringify([title, question, point]));
  return [...byPoint.values()]
    .flatMap(summarize)
    .toSorted((a, b) => b.overruled - a.overruled || a.decisions - b.decisions)
    .slice(0, shownMax);
}

export interface CalibrationDeps {
  models: RecordingModels;
  judge: CalibratedJudge;
  log: Logger;
}

const dayMs = 24 * 3600 * 1000;
const everyMs = 3600 * 1000;

/** Decisions about verdicts of the judge's current model. */
const examplesOf = (decided: readonly DecidedPoint[], { engine }: CalibratedJudge): Example[] =>
  decided.flatMap(({ recordingId, figures, personState, ...point }) =>
    point.engine === engine && figures ? [{ recordingId, ...figures, state: personState }] : [],
  );

async function report(decided: readonly DecidedPoint[], { models, judge }: CalibrationDeps): Promise<Calibration> {
  const stored = await models.calibrations.findById(judge.engine).lean();
  return {
    engine: judge.engine,
    decisions: examplesOf(decided, judge).length,
    needed: decisionsNeeded,
    thresholds: stored?.thresholds ?? judge.thresholds,
    fittedAt: stored?.fittedAt?.toISOString() ?? null,
    fit: stored?.fit ?? null,
    overruled: overruledPoints(decided),
  };
}

/** Reports what the judge has learned from reviewers so far. */
export async function readCalibration(deps: CalibrationDeps): Promise<Calibration> {
  return report(await findDecidedPoints(deps.models), deps);
}

/** Fits the judge's thresholds to reviewers' decisions, if there are enough, and adopts them if they are better. */
export async function calibrate(deps: CalibrationDeps): Promise<Calibration> {
  const { models, judge, log } = deps;
  const decided = await findDecidedPoints(models);
  const examples = examplesOf(decided, judge);
  const stored = await models.calibrations.findById(judge.engine).lean();
  const inUse = stored?.thresholds ?? judge.thresholds;
  const found = examples.length < decisionsNeeded ? null : fitThresholds(examples, inUse);
  if (found) {
    const now = new Date();
    const { isBetter, ...figures } = found;
    const fit: CalibrationFit = { ...figures, isUsed: isBetter, at: now.toISOString() };
    const { thresholds, before, after } = figures;
    const used = isBetter ? { thresholds, fittedAt: now } : {};
    await models.calibrations.updateOne({ _id: judge.engine }, { $set: { fit, ...used } }, { upsert: true });
    if (isBetter) {
      const decisions = examples.length;
      log.info(
        { engine: judge.engine, inUse, thresholds, decisions, before, after },
        "fitted the judge to people's decisions",
      );
    }
  }
  return report(decided, deps);
}

/** Claims today's calibration for this process. @returns false if another process has it */
async function takeDailyTry({ models, judge }: CalibrationDeps): Promise<boolean> {
  const now = new Date();
  const due = { _id: judge.engine, nextAt: trusted({ $not: { $gt: now } }) };
  const $set = { nextAt: new Date(now.getTime() + dayMs) };
  try {
    const { matchedCount, upsertedCount } = await models.calibrations.updateOne(due, { $set }, { upsert: true });
    return matchedCount + upsertedCount > 0;
  } catch (error) {
    // The document exists, and isn't due.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Calibrates if the last daily run was a day ago. @returns whether it did */
export async function calibrateDaily(deps: CalibrationDeps): Promise<boolean> {
  if (!(await takeDailyTry(deps))) return false;
  await calibrate(deps);
  return true;
}

/** Calibrates once a day, in one of the processes that call this. @returns a function that stops it */
export function startCalibration(deps: CalibrationDeps): () => Promise<void> {
  return repeat(
    everyMs,
    () => calibrateDaily(deps),
    (error) => deps.log.warn({ err: error }, "could not fit the judge to people's decisions; it will be retried"),
  );
}

/**
 * The points that admins decided, newest reviews first. Read from the recordings, so deleted along with them.
 * Candidates' claims and guests' feedback don't count.
 */
async function findDecidedPoints(models: RecordingModels): Promise<DecidedPoint[]> {
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
          // If a claim raised the point, `machine` holds the judge's original state.
          judgeState: machine?.state ?? review.before.state,
          personState: stateOf(point),
        },
      ];
    }),
  );
}
