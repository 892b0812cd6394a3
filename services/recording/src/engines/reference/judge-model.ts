import { ChildCrash, ChildFailure, createWarmChildren } from '../../children/warm-children.ts';
import { EngineError } from '../engine-error.ts';
import type { PointFigures, Thresholds } from '../thresholds.ts';

/** Passages of an answer to a question, each beside a statement that it may make. */
export interface JudgeJob {
  question: string;
  pairs: readonly (readonly [statement: string, passage: string])[];
}

/** The figures of some of a job's pairs. `at` is the index of the pair. */
export type JudgeStep = readonly (PointFigures & { at: number })[];

/** The model that reads a question, a statement and a passage. */
export interface JudgeModel {
  /**
   * How likely each passage makes, and contradicts, the statement beside it. Bounded in memory and without a limit of time, as long
   * as there is progress.
   * @throws EngineError, or the signal's reason
   */
  judge(job: JudgeJob, signal: AbortSignal): Promise<PointFigures[]>;
  close(): void;
}

/** What a judgement works with. */
export interface JudgeContext {
  model: JudgeModel;
  thresholds: Thresholds;
  signal: AbortSignal;
}

/** For one batch, which takes less than a second; a busy machine may need far longer. */
const stepTimeoutMs = 120_000;

/** Opens the model in a child process, which ends by itself when it has had nothing to do for a while. */
export function openJudgeModel(): JudgeModel {
  const children = createWarmChildren<JudgeJob, JudgeStep, null>({
    module: new URL('./judge-child.ts', import.meta.url),
    slots: 1,
  });
  return {
    async judge(job, signal) {
      const figures: PointFigures[] = job.pairs.map(() => ({ made: 0, contradicted: 0 }));
      if (figures.length === 0) return figures;
      const onStep = (step: JudgeStep) => {
        for (const { at, ...found } of step) figures[at] = found;
      };
      try {
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
