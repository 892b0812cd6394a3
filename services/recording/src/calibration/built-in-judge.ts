import { modelInfo } from '../engines/reference/model-file.ts';
import { referenceEngineName } from '../engines/reference/reference-assessor.ts';
import type { Thresholds } from '../engines/thresholds.ts';

/** A judge whose thresholds can be fitted to people's decisions. */
export interface CalibratedJudge {
  /** The engine of its verdicts, with the name of its model. */
  engine: string;
  /** The thresholds that come with its model. */
  thresholds: Thresholds;
}

/** The built-in judge of this release. */
export const builtInJudge: CalibratedJudge = { engine: referenceEngineName, thresholds: modelInfo.thresholds };
