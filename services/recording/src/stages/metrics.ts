import { Counter, Histogram, type Registry } from '@prometheus-io/client';

export type StageMetrics = ReturnType<typeof createStageMetrics>;

/** Creates a worker process's stage metrics; `register` adds them to a registry. */
export function createStageMetrics() {
  const metrics = {
    stageSeconds: new Histogram({
      name: 'recording_stage_duration_seconds',
      help: 'Time that a stage of a recording took, by stage and outcome',
      labelNames: ['stage', 'outcome'] as const,
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600],
      registers: [],
    }),
    stageFailures: new Counter({
      name: 'recording_stage_failures_total',
      help: 'Attempts at a stage that failed, by stage and reason: a part that was down, or the kind of error',
      labelNames: ['stage', 'reason'] as const,
      registers: [],
    }),
    speechSeconds: new Counter({
      name: 'recording_speech_seconds_total',
      help: 'Length of the recordings that were transcribed',
      registers: [],
    }),
    realTime: new Histogram({
      name: 'recording_speech_real_time_ratio',
      help: 'Time that a transcription took after the end of the answer, over the length of the recording',
      buckets: [0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1, 1.5, 2, 4],
      registers: [],
    }),
    windows: new Counter({
      name: 'recording_speech_windows_total',
      help: 'Windows of speech that were transcribed: ahead, while the answer was still spoken, or after its end',
      labelNames: ['when'] as const,
      registers: [],
    }),
    fallbacks: new Counter({
      name: 'recording_speech_fallbacks_total',
      help: 'Transcriptions by another engine than the chosen one, by the engine that served',
      labelNames: ['engine'] as const,
      registers: [],
    }),
  };
  return {
    ...metrics,
    register(registry: Registry): void {
      for (const metric of Object.values(metrics)) registry.registerMetric(metric);
    },
  };
}
