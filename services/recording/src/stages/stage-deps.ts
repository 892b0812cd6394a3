import type { JobProducer } from '@interview-prep/kit/job-queues';
import type { Logger } from '@interview-prep/kit/logger';
import type { Outbox } from '@interview-prep/kit/outbox';
import type { Histogram } from '@prometheus-io/client';
import type { Redis } from 'ioredis';
import type { Assessor } from '../engines/assessor.ts';
import type { Transcriber } from '../engines/transcriber.ts';
import type { RecordingModels } from '../models.ts';
import type { ObjectStore } from '../object-store.ts';
import type { Recording } from '../recordings/model.ts';
import type { SpeechDetector } from '../speech-detector/speech-detector.ts';
import type { WorkFolder } from '../work-folder.ts';
import type { WavCache } from './wav-cache.ts';

/** What the stages work with. */
export interface StageDeps {
  models: RecordingModels;
  store: ObjectStore;
  jobs: JobProducer;
  outbox: Outbox<Recording>;
  log: Logger;
  work: WorkFolder;
  wavs: WavCache;
  /** For messages to open pages. */
  redis: Redis;
  prefix: string;
  detector: SpeechDetector;
  transcriber: Transcriber;
  assessor: Assessor;
  /** ISO 639-1, what is spoken where the set does not say. */
  language: string;
  stageSeconds: Histogram<'stage' | 'outcome'>;
}
