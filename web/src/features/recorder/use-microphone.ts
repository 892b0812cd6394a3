import { useCallback, useEffect, useRef, useState } from 'react';
import { chooseDevice, type InputDevice, listInputDevices, NoMicrophoneError, openMicrophone } from './microphone.ts';
import { type MicrophoneProblem, microphoneProblem } from './microphone-problem.ts';

/** The microphone as a screen sees it. */
export type Microphone =
  | { status: 'opening' }
  | { status: 'open'; stream: MediaStream }
  | { status: 'failed'; problem: MicrophoneProblem };

const problemOf = (error: unknown): MicrophoneProblem =>
  error instanceof NoMicrophoneError ? error.problem : microphoneProblem(error);

const stopTracks = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop();
};

/** Opens the microphone while the screen is shown, and gives it back afterwards. `reopen` tries again, or another device. */
export function useMicrophone() {
  const [microphone, setMicrophone] = useState<Microphone>({ status: 'opening' });
  const [devices, setDevices] = useState<readonly InputDevice[]>([]);
  const [attempt, setAttempt] = useState(0);
  const current = useRef<MediaStream | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt opens anew
  useEffect(() => {
    let left = false;
    const lost = () => {
      if (!left) setMicrophone({ status: 'failed', problem: 'lost' });
    };
    openMicrophone().then(
      (stream) => {
        if (left) return stopTracks(stream);
        current.current = stream;
        stream.getAudioTracks()[0]?.addEventListener('ended', lost);
        setMicrophone({ status: 'open', stream });
      },
      (error: unknown) => {
        console.error(error);
        if (!left) setMicrophone({ status: 'failed', problem: problemOf(error) });
      },
    );
    return () => {
      left = true;
      if (current.current) stopTracks(current.current);
      current.current = null;
    };
  }, [attempt]);

  const { status } = microphone;
  useEffect(() => {
    if (status === 'opening' || !navigator.mediaDevices?.enumerateDevices) return;
    const list = () => void listInputDevices().then(setDevices, console.error);
    list();
    navigator.mediaDevices.addEventListener('devicechange', list);
    return () => navigator.mediaDevices.removeEventListener('devicechange', list);
  }, [status]);

  const reopen = useCallback((deviceId?: string) => {
    if (deviceId !== undefined) chooseDevice(deviceId);
    setMicrophone({ status: 'opening' });
    setAttempt((count) => count + 1);
  }, []);

  useRetryWhenAllowed(status === 'failed', reopen);

  const track = microphone.status === 'open' ? microphone.stream.getAudioTracks()[0] : undefined;
  return { microphone, devices, deviceId: track?.getSettings().deviceId, reopen };
}

/** Once the person allows the microphone in the browser's settings, it is opened without another click. */
function useRetryWhenAllowed(failed: boolean, reopen: () => void): void {
  useEffect(() => {
    if (!failed || !navigator.permissions?.query) return;
    let permission: PermissionStatus | null = null;
    let left = false;
    const changed = () => {
      if (permission?.state === 'granted') reopen();
    };
    navigator.permissions.query({ name: 'microphone' as PermissionName }).then((answer) => {
      if (left) return;
      permission = answer;
      permission.addEventListener('change', changed);
    }, console.warn);
    return () => {
      left = true;
      permission?.removeEventListener('change', changed);
    };
  }, [failed, reopen]);
}
