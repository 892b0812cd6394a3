import type {
  Assessment,
  LiveStatus,
  SessionKind,
  Stage,
  Transcription,
} from '@interview-prep/contracts/recording/recordings';
import { countOf } from '../../../lib/formats.ts';

/** A processing step, as displayed. */
export interface StageStep {
  stage: Stage;
  label: string;
  state: 'done' | 'active' | 'waiting';
  /** The fraction completed, if known. */
  percent?: number;
}

/** The fields that show a recording's progress. Practice recordings have no assessment. */
export interface StagedRecording {
  durationMs: number | null;
  transcription: Pick<Transcription, 'status'>;
  assessment?: Pick<Assessment, 'status'>;
}

const stages: Record<SessionKind, readonly Stage[]> = {
  interview: ['media', 'transcription', 'assessment'],
  practice: ['media', 'transcription'],
};

const labels: Record<Stage, string> = {
  media: 'Preparing the audio',
  transcription: 'Transcribing',
  assessment: 'Scoring the answer',
};

/** Whether a recording is still being processed. */
export function isPending({ transcription, assessment }: StagedRecording): boolean {
  if (transcription.status === 'pending') return true;
  return transcription.status === 'completed' && assessment?.status === 'pending';
}

/** The current stage according to the details. */
function storedStage(recording: StagedRecording): Stage {
  if (recording.transcription.status !== 'pending') return 'assessment';
  return recording.durationMs === null ? 'media' : 'transcription';
}

/**
 * The steps of a pending recording. Details and live messages arrive separately; the one that is further along wins,
 * since a recording only moves forward.
 */
export function stageSteps(
  kind: SessionKind,
  recording: StagedRecording,
  live: Pick<LiveStatus, 'stage' | 'status' | 'progress'> | undefined,
): StageStep[] {
  const order = stages[kind];
  const stored = order.indexOf(storedStage(recording));
  const reported = live ? order.indexOf(live.stage) + (live.status === 'completed' ? 1 : 0) : -1;
  const current = Math.max(stored, reported);
  return order.map((stage, index) => ({
    stage,
    label: labels[stage],
    state: index < current ? 'done' : index === current ? 'active' : 'waiting',
    ...(index === current && live?.stage === stage && live.progress ? { percent: live.progress.percent } : {}),
  }));
}

/** The estimated time until an answer is transcribed: 'Ready in about 40 s · 2 answers ahead'. */
export function estimateText({ ahead, readyInMs }: NonNullable<LiveStatus['estimate']>): string {
  const seconds = Math.max(5, Math.ceil(readyInMs / 5000) * 5);
  const time = `Ready in about ${seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`}`;
  return ahead === 0 ? time : `${time} · ${countOf(ahead, 'answer')} ahead`;
}
