import { Counter, Histogram } from '@prometheus-io/client';

/** The duration of stages, by stage and outcome. */
export function createStageSeconds() {
  return new Histogram({
    name: 'recording_stage_duration_seconds',
    help: 'Time that a stage of a recording took, by stage and outcome',
    labelNames: ['stage', 'outcome'] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600],
    registers: [],
  });
}

/** The failed attempts at stages, by stage and reason. */
export function createStageFailures() {
  return new Counter({
    name: 'recording_stage_failures_total',
    help: 'Attempts at a stage that failed, by stage and reason: a part that was down, or the kind of error',
    labelNames: ['stage', 'reason'] as const,
    registers: [],
  });
}
