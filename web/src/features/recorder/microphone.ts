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
  if (!window.isSecureContext) throw new NoMicrophoneError('insecure');
  if (!navigator.mediaDevices?.getUserMedia || typeof MediaRecorder === 'undefined') {
    throw new NoMicrophoneError('unsupported');
  }
  const deviceId = chosenDeviceId();
  // 'ideal': a device that is no longer there must not stop the interview.
  const audio: MediaTrackConstraints = { channelCount: 1, ...(deviceId ? { deviceId: { ideal: deviceId } } : {}) };
  return navigator.mediaDevices.getUserMedia({ audio });
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
