import { type DeviceProblem, deviceProblem } from './device-problem.ts';

/** Where the choice of the input device is kept between visits. */
const deviceKey = 'microphoneId';

/** Raised where the page cannot have a microphone at all; its name says why. */
export class NoMicrophoneError extends Error {
  readonly problem: 'insecure' | 'unsupported';

  constructor(problem: 'insecure' | 'unsupported') {
    super(`This page cannot record: ${problem}`);
    this.problem = problem;
  }
}

/** The device chosen last; null lets the browser choose. */
export const chosenDeviceId = (): string | null => localStorage.getItem(deviceKey);

export const chooseDevice = (deviceId: string): void => localStorage.setItem(deviceKey, deviceId);

/** Opens the chosen microphone, else the browser's own choice. Rejects as getUserMedia does, or with NoMicrophoneError. */
export async function openMicrophone(): Promise<MediaStream> {
  requireRecording();
  return navigator.mediaDevices.getUserMedia({ audio: microphoneConstraints() });
}

/** @throws NoMicrophoneError where the page cannot record at all */
export function requireRecording(): void {
  if (!window.isSecureContext) throw new NoMicrophoneError('insecure');
  if (!navigator.mediaDevices?.getUserMedia || typeof MediaRecorder === 'undefined') {
    throw new NoMicrophoneError('unsupported');
  }
}

/** The chosen microphone, in one channel. */
export function microphoneConstraints(): MediaTrackConstraints {
  const deviceId = chosenDeviceId();
  // 'ideal': a device that is no longer there must not stop the interview.
  return { channelCount: 1, ...(deviceId ? { deviceId: { ideal: deviceId } } : {}) };
}

/** An input device as a person may choose it. */
export interface InputDevice {
  id: string;
  label: string;
}

/** The input devices; their names are known once the microphone was allowed. */
export async function listInputDevices(): Promise<InputDevice[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== '')
    .map(({ deviceId, label }, index) => ({ id: deviceId, label: label || `Microphone ${index + 1}` }));
}

/** What a failed opening means for the person. */
export const inputProblem = (error: unknown): DeviceProblem =>
  error instanceof NoMicrophoneError ? error.problem : deviceProblem(error);

/** Gives the devices of a stream back. */
export function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
