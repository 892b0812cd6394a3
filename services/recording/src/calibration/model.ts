import type { CalibrationFit } from '@interview-prep/contracts/recording/calibration';
import { Schema } from 'mongoose';
import type { Thresholds } from '../engines/thresholds.ts';

/** Thresholds that a judge learned from reviewers. Not personal data: the decisions themselves stay in the recordings. */
export interface StoredCalibration {
  /** The judge's engine, including its model's name. */
  _id: string;
  /** Null while the model's defaults are in use. */
  thresholds: Thresholds | null;
  fittedAt: Date | null;
  /** The latest attempt; null before the first. */
  fit: CalibrationFit | null;
  /** When the next daily attempt is due. */
  nextAt: Date | null;
}

export const calibrationSchema = new Schema<StoredCalibration>(
  {
    _id: { type: String, required: true },
    thresholds: { type: Schema.Types.Mixed, default: null },
    fittedAt: { type: Date, default: null },
    fit: { type: Schema.Types.Mixed, default: null },
    nextAt: { type: Date, default: null },
  },
  { collection: 'calibrations', versionKey: false },
);
