import type { Assessment, LiveStatus, SessionKind, Stage, Transcription } from '@interview-prep/contracts/recordings';

/** A step of a recording's way, as a person reads it. */
export interface StageStep {
  stage: Stage;
  label: string;
  state: 'done' | 'active' | 'waiting';
}

/** What a recording says of itself; practice recordings have no assessment. */
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

/** Whether something of a recording is still to come. */
export function isPending({ transcription, assessment }: StagedRecording): boolean {
  if (transcription.status === 'pending') return true;
  return transcription.status === 'completed' && assessment?.status === 'pending';
}

/** The stage that the details tell of: the one that has not left its trace yet. */
function toldStage(recording: StagedRecording): Stage {
  if (recording.transcription.status !== 'pending') return 'assessment';
  return recording.durationMs === null ? 'media' : 'transcription';
}

/**
 * The steps of a pending recording. The details and the live messages come on different ways: whichever is further
 * along is right, since a recording only moves forward, except when it is processed again, which begins a new story
 * that the details tell first.
 */
export function stageSteps(
  kind: SessionKind,
  recording: StagedRecording,
  live: Pick<LiveStatus, 'stage' | 'status'> | undefined,
): StageStep[] {
  const order = stages[kind];
  const told = order.indexOf(toldStage(recording));
  const heard = live ? order.indexOf(live.stage) + (live.status === 'completed' ? 1 : 0) : -1;
  const current = Math.max(told, heard);
  return order.map((stage, index) => ({
    stage,
    label: labels[stage],
    state: index < current ? 'done' : index === current ? 'active' : 'waiting',
  }));
}
