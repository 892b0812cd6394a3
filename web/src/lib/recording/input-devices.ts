import { useEffect, useState } from 'react';

/** All media devices, once one was opened: only then are their names available. Updates when devices are plugged in or out. */
export function useInputDevices(opened: boolean): readonly MediaDeviceInfo[] {
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([]);
  useEffect(() => {
    if (!opened || !navigator.mediaDevices?.enumerateDevices) return;
    const list = () => void navigator.mediaDevices.enumerateDevices().then(setDevices, console.error);
    list();
    navigator.mediaDevices.addEventListener('devicechange', list);
    return () => navigator.mediaDevices.removeEventListener('devicechange', list);
  }, [opened]);
  return devices;
}

export type InputKind = 'audioinput' | 'videoinput';

export interface InputDevice {
  id: string;
  label: string;
}

/** The local storage key of the chosen device, and the name of unnamed ones. */
const kinds = {
  audioinput: { key: 'microphoneId', name: 'Microphone' },
  videoinput: { key: 'cameraId', name: 'Camera' },
} as const satisfies Record<InputKind, unknown>;

export function chooseDevice(kind: InputKind, deviceId: string): void {
  localStorage.setItem(kinds[kind].key, deviceId);
}

/** The chosen device as a constraint. Chromium ignores a device that is only 'ideal'. */
function chosenDevice(kind: InputKind): Pick<MediaTrackConstraints, 'deviceId'> | null {
  const deviceId = localStorage.getItem(kinds[kind].key);
  return deviceId ? { deviceId: { exact: deviceId } } : null;
}

/** The error names for a missing device. */
const goneErrors: ReadonlySet<string> = new Set(['OverconstrainedError', 'NotFoundError', 'DevicesNotFoundError']);

/**
 * Opens the chosen devices. If one is gone, such as an unplugged headset, opens the browser's defaults.
 * @throws what getUserMedia throws
 */
export async function openInputs(wanted: {
  audio: MediaTrackConstraints;
  video?: MediaTrackConstraints;
}): Promise<MediaStream> {
  const microphone = chosenDevice('audioinput');
  const camera = wanted.video ? chosenDevice('videoinput') : null;
  const open = (constraints: MediaStreamConstraints) => navigator.mediaDevices.getUserMedia(constraints);
  if (!microphone && !camera) return open(wanted);
  const { facingMode: _facing, ...picture } = wanted.video ?? {};
  try {
    return await open({
      audio: { ...wanted.audio, ...microphone },
      ...(wanted.video ? { video: camera ? { ...picture, ...camera } : wanted.video } : {}),
    });
  } catch (error) {
    if (!(error instanceof Error && goneErrors.has(error.name))) throw error;
    return open(wanted);
  }
}

/** The input devices of a kind. Their names are available once the user has granted permission. */
export function devicesOf(kind: InputKind, devices: readonly MediaDeviceInfo[]): InputDevice[] {
  return devices
    .filter((device) => device.kind === kind && device.deviceId !== '')
    .map(({ deviceId, label }, index) => ({ id: deviceId, label: label || `${kinds[kind].name} ${index + 1}` }));
}
