import { ChildCrash, ChildFailure, createWarmChildren } from '../../children/warm-children.ts';
import { EngineError } from '../engine-error.ts';
import type { PointFigures, Thresholds } from '../thresholds.ts';

/** Passages of an answer to a question, each paired with a statement that it may make. */
export interface JudgeJob {
  question: string;
  pairs: readonly (readonly [statement: string, passage: string])[];
}

/** Figures for some of a job's pairs. `at` is the index of the pair. */
export type JudgeStep = readonly (PointFigures & { at: number })[];

/** The model that reads a question, a statement and a passage. */
export interface JudgeModel {
  /**
   * How likely each passage makes, and contradicts, its statement. Bounded in memory, but not in time while there is progress.
   * @throws EngineError, or the signal's reason
   */
  judge(job: JudgeJob, signal: AbortSignal): Promise<PointFigures[]>;
  close(): void;
}

/** The shared context of a judgment. */
export interface JudgeContext {
  model: JudgeModel;
  thresholds: Thresholds;
  signal: AbortSignal;
}

/** The size of the cache, in pairs: an answer is judged while it is spoken, and again at its end. */
const keptMax = 5000;
/** For one batch, which usually takes less than a second; a busy machine may need far longer. */
const stepTimeoutMs = 120_000;

/** Opens the model in a child process, which exits when idle. */
export function openJudgeModel(): JudgeModel {
  const children = createWarmChildren<JudgeJob, JudgeStep, null>({
    module: new URL('./judge-child.ts', import.meta.url),
    slots: 1,
    env: { MALLOC_TRIM_THRESHOLD_: '4194304' }, // Returns memory after each batch: 20 MB less for 8% more time.
  });
  const kept = new Map<string, PointFigures>();
  return {
    async judge({ question, pairs }, signal) {
      const keys = pairs.map((pair) => JSON.stringify([question, ...pair]));
      const figures = keys.map((key): PointFigures => kept.get(key) ?? { made: 0, contradicted: 0 });
      const unread = [...keys.keys()].filter((at) => !kept.has(keys[at]!));
      if (unread.length === 0) return figures;
      const onStep = (step: JudgeStep) => {
        for (const { at, ...found } of step) {
          figures[unread[at]!] = found;
          kept.set(keys[unread[at]!]!, found);
        }
        for (const key of [...kept.keys()].slice(0, Math.max(0, kept.size - keptMax))) kept.delete(key);
      };
      try {
        const job = { question, pairs: unread.map((at) => pairs[at]!) };
        await children.run(job, { signal, stepTimeoutMs, onStep });
      } catch (cause) {
        if (cause instanceof ChildCrash || cause instanceof ChildFailure)
          throw new EngineError(`The judge stopped: ${cause.message}`, { permanent: false, crashed: true, cause });
        throw cause;
      }
      return figures;
    },
    close: () => children.close(),
  };
}
