import { type DeviceProblem, deviceProblem } from './device-problem.ts';
import { openInputs } from './input-devices.ts';

/** The page can't use a microphone at all; `problem` says why. */
export class NoMicrophoneError extends Error {
  readonly problem: 'insecure' | 'unsupported';

  constructor(problem: 'insecure' | 'unsupported') {
    super(`This page cannot record: ${problem}`);
    this.problem = problem;
  }
}

/** Speech needs one channel. */
export const speechConstraints: MediaTrackConstraints = { channelCount: 1 };

/**
 * Opens the chosen microphone, else the browser's default.
 * @throws NoMicrophoneError if the page can't record, or what getUserMedia throws
 */
export async function openMicrophone(): Promise<MediaStream> {
  requireRecording();
  return openInputs({ audio: speechConstraints });
}

/** @throws NoMicrophoneError if the page can't record */
export function requireRecording(): void {
  if (!window.isSecureContext) throw new NoMicrophoneError('insecure');
  if (!navigator.mediaDevices?.getUserMedia || typeof MediaRecorder === 'undefined') {
    throw new NoMicrophoneError('unsupported');
  }
}

/** Maps an error from opening an input to a problem. */
export function inputProblem(error: unknown): DeviceProblem {
  return error instanceof NoMicrophoneError ? error.problem : deviceProblem(error);
}

/** Releases the devices of a stream. */
export function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
