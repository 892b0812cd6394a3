import type { Thresholds } from '../engines/thresholds.ts';
import type { RecordingModels } from '../models.ts';

const cachedMs = 60_000;

/**
 * Reads the thresholds fitted to reviewers' decisions about verdicts of an engine, whose name includes its model;
 * null if the model's defaults are in use. Changes take effect within a minute.
 * @throws while MongoDB is down
 */
export function createFittedThresholds(
  models: Pick<RecordingModels, 'calibrations'>,
): (engine: string) => Promise<Thresholds | null> {
  const read = new Map<string, { atMs: number; thresholds: Thresholds | null }>();
  return async (engine) => {
    const known = read.get(engine);
    if (known && Date.now() - known.atMs < cachedMs) return known.thresholds;
    const stored = await models.calibrations.findById(engine).lean();
    const thresholds = stored?.thresholds ?? null;
    read.set(engine, { atMs: Date.now(), thresholds });
    return thresholds;
  };
}
