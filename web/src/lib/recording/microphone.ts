import { type DeviceProblem, deviceProblem } from './device-problem.ts';

/** The local storage key of the chosen input device. */
const deviceKey = 'microphoneId';

/** The page cannot use a microphone at all; `problem` says why. */
export class NoMicrophoneError extends Error {
  readonly problem: 'insecure' | 'unsupported';

  constructor(problem: 'insecure' | 'unsupported') {
    super(`This page cannot record: ${problem}`);
    this.problem = problem;
  }
}

/** The device chosen last; null lets the browser choose. */
export function chosenDeviceId(): string | null {
  return localStorage.getItem(deviceKey);
}

export function chooseDevice(deviceId: string): void {
  localStorage.setItem(deviceKey, deviceId);
}

/**
 * Opens the chosen microphone, else the browser's default.
 * @throws NoMicrophoneError if the page cannot record, or what getUserMedia throws
 */
export async function openMicrophone(): Promise<MediaStream> {
  requireRecording();
  return navigator.mediaDevices.getUserMedia({ audio: microphoneConstraints() });
}

/** @throws NoMicrophoneError if the page cannot record */
export function requireRecording(): void {
  if (!window.isSecureContext) throw new NoMicrophoneError('insecure');
  if (!navigator.mediaDevices?.getUserMedia || typeof MediaRecorder === 'undefined') {
    throw new NoMicrophoneError('unsupported');
  }
}

/** The chosen microphone, in one channel. */
export function microphoneConstraints(): MediaTrackConstraints {
  const deviceId = chosenDeviceId();
  // 'ideal': an unplugged device must not stop the interview.
  return { channelCount: 1, ...(deviceId ? { deviceId: { ideal: deviceId } } : {}) };
}

/** An input device to choose from. */
export interface InputDevice {
  id: string;
  label: string;
}

/** The input devices. Their names are available once the microphone has been allowed. */
export async function listInputDevices(): Promise<InputDevice[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== '')
    .map(({ deviceId, label }, index) => ({ id: deviceId, label: label || `Microphone ${index + 1}` }));
}

/** Maps a failure to open an input to a problem. */
export function inputProblem(error: unknown): DeviceProblem {
  return error instanceof NoMicrophoneError ? error.problem : deviceProblem(error);
}

/** Releases the devices of a stream. */
export function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
