/** Why a microphone or camera can't be used. */
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

/** Maps a getUserMedia failure to a problem. */
export function deviceProblem(error: unknown): DeviceProblem {
  return (error instanceof Error && byErrorName[error.name]) || 'unknown';
}
