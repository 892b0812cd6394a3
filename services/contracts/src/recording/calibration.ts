import { z } from 'zod';
import { timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';
import { PointState } from './recordings.ts';

/** So many decisions of people it takes to fit the thresholds. */
export const decisionsNeeded = 50;

/** From these likelihoods on (0–1) a point is covered, partly covered, contradicted. */
const JudgeThresholds = z.object({ covered: z.number(), partial: z.number(), contradicted: z.number() });

/** The latest try to fit thresholds to people's decisions. */
export const CalibrationFit = z.object({
  thresholds: JudgeThresholds,
  /** Decisions that they were fitted to, and the others, on which they were tried. */
  fittedTo: z.number().int(),
  heldOut: z.number().int(),
  /** How far a point's credit is from people's on the held-out part, 0–1 on average: by the thresholds in use until then. */
  before: z.number(),
  /** The same by the fitted thresholds. */
  after: z.number(),
  /** Whether they were better there, and are used since. */
  isUsed: z.boolean(),
  at: timestamp,
});
export type CalibrationFit = z.infer<typeof CalibrationFit>;

/** A point about which people often decide otherwise than the judge: its wording may be at fault. */
export const OverruledPoint = z.object({
  title: z.string(),
  question: z.string(),
  point: z.string(),
  /** Decisions of people about it. */
  decisions: z.number().int(),
  /** Those with another state than the judge's. */
  overruled: z.number().int(),
  /** What people most often said instead. */
  state: PointState,
});
export type OverruledPoint = z.infer<typeof OverruledPoint>;

/** What the built-in judge learned from people. */
export const Calibration = z.object({
  /** The judge, as its verdicts name it. */
  engine: z.string(),
  /** Decisions of admins about points of its verdicts, in the 500 newest answers that a person has judged. */
  decisions: z.number().int(),
  needed: z.number().int(),
  thresholds: JudgeThresholds,
  /** When the thresholds in use were fitted; null where they are those of the model. */
  fittedAt: timestamp.nullable(),
  /** Null before the first try. */
  fit: CalibrationFit.nullable(),
  /** At most 20, those that were overruled most first. */
  overruled: z.array(OverruledPoint),
});
export type Calibration = z.infer<typeof Calibration>;

const recording = routesOf('recording');

/** The built-in judge's thresholds are fitted to what admins decide about points. */
export const calibrationRoutes = {
  readCalibration: recording.get('/api/recordings/calibration', 'admin', {
    summary: "How the built-in judge's thresholds were fitted to people's decisions",
    description:
      'Also names the points that people overruled most, of the 500 newest answers that a person has judged.',
    result: Calibration,
  }),
  calibrate: recording.post('/api/recordings/calibration', 'admin', {
    summary: "Fit the built-in judge's thresholds to people's decisions",
    description: `Happens once a day by itself. Takes ${decisionsNeeded} decisions of admins about points; with fewer, nothing changes. The thresholds are fitted to half of the answers, and used from then on where they are better on the other half.`,
    result: Calibration,
    audit: { action: 'judge.calibrate' },
  }),
};
