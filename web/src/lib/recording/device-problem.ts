/** Why there is no sound, or no picture, to record. */
export type DeviceProblem = 'denied' | 'missing' | 'busy' | 'unsupported' | 'insecure' | 'lost' | 'unknown';

const byErrorName: Readonly<Record<string, DeviceProblem>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  DevicesNotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
  TrackStartError: 'busy',
};

/** What getUserMedia's failure means for the person. */
export function deviceProblem(error: unknown): DeviceProblem {
  return (error instanceof Error && byErrorName[error.name]) || 'unknown';
}
