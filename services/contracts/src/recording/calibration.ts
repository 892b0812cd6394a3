import { z } from 'zod';
import { timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';
import { PointState } from './recordings.ts';

/** Minimum number of human decisions for fitting the thresholds. */
export const decisionsNeeded = 50;

/** Minimum likelihoods (0–1) for a point to be covered, partly covered or contradicted. */
const JudgeThresholds = z.object({ covered: z.number(), partial: z.number(), contradicted: z.number() });

/** The latest attempt to fit thresholds to human decisions. */
export const CalibrationFit = z.object({
  thresholds: JudgeThresholds,
  /** Decisions used for fitting, and those held out for evaluation. */
  fittedTo: z.number().int(),
  heldOut: z.number().int(),
  /** Mean absolute difference of points' credit from people's on the held-out decisions, 0–1: with the previous thresholds. */
  before: z.number(),
  /** The same with the fitted thresholds. */
  after: z.number(),
  /** Whether the fitted thresholds were better and are in use. */
  isUsed: z.boolean(),
  at: timestamp,
});
export type CalibrationFit = z.infer<typeof CalibrationFit>;

/** A point that people often overrule: its wording may be at fault. */
export const OverruledPoint = z.object({
  title: z.string(),
  question: z.string(),
  point: z.string(),
  /** Number of human decisions about it. */
  decisions: z.number().int(),
  /** Decisions that differ from the judge's state. */
  overruled: z.number().int(),
  /** The state that people chose most often instead. */
  state: PointState,
});
export type OverruledPoint = z.infer<typeof OverruledPoint>;

/** The calibration of the built-in judge. */
export const Calibration = z.object({
  /** The engine name, as in verdicts. */
  engine: z.string(),
  /** Admins' decisions about points of its verdicts, in the 500 newest reviewed answers. */
  decisions: z.number().int(),
  needed: z.number().int(),
  thresholds: JudgeThresholds,
  /** When the current thresholds were fitted; null for the model's defaults. */
  fittedAt: timestamp.nullable(),
  /** Null before the first attempt. */
  fit: CalibrationFit.nullable(),
  /** At most 20, most often overruled first. */
  overruled: z.array(OverruledPoint),
});
export type Calibration = z.infer<typeof Calibration>;

const recording = routesOf('recording');

/** Fits the built-in judge's thresholds to admins' decisions about points. */
export const calibrationRoutes = {
  readCalibration: recording.get('/api/recordings/calibration', 'admin', {
    summary: "How the built-in judge's thresholds were fitted to people's decisions",
    description: 'Also lists the most often overruled points of the 500 newest reviewed answers.',
    result: Calibration,
  }),
  calibrate: recording.post('/api/recordings/calibration', 'admin', {
    summary: "Fit the built-in judge's thresholds to people's decisions",
    description: `Also runs automatically once a day. Requires ${decisionsNeeded} admin decisions about points; with fewer, nothing changes. The thresholds are fitted to half of the answers, and adopted if they are better on the other half.`,
    result: Calibration,
    audit: { action: 'judge.calibrate' },
  }),
};
