import { modelInfo } from '../engines/reference/model-file.ts';
import { referenceEngineName } from '../engines/reference/reference-assessor.ts';
import type { Thresholds } from '../engines/thresholds.ts';

/** A judge whose thresholds can be fitted to human decisions. */
export interface CalibratedJudge {
  /** The `engine` of its verdicts, including the model's name. */
  engine: string;
  /** The model's default thresholds. */
  thresholds: Thresholds;
}

export const builtInJudge: CalibratedJudge = { engine: referenceEngineName, thresholds: modelInfo.thresholds };
