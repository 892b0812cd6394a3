import { useCallback, useEffect, useRef, useState } from 'react';
import { useRetryWhenAllowed } from '../../../lib/recording/device-problem.ts';
import { chooseDevice, devicesOf, useInputDevices } from '../../../lib/recording/input-devices.ts';
import { inputProblem, openMicrophone, stopTracks } from '../../../lib/recording/microphone.ts';
import type { Input } from '../session/answer-events.ts';

const permissions = ['microphone'] as const;

/** Keeps the microphone open while the screen is shown. `reopen` retries, or opens another device. */
export function useMicrophone() {
  const [microphone, setMicrophone] = useState<Input>({ status: 'opening' });
  const [attempt, setAttempt] = useState(0);
  const current = useRef<MediaStream | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt opens the device again
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
        if (!left) setMicrophone({ status: 'failed', problem: inputProblem(error) });
      },
    );
    return () => {
      left = true;
      if (current.current) stopTracks(current.current);
      current.current = null;
    };
  }, [attempt]);

  const { status } = microphone;
  const devices = useInputDevices(status !== 'opening');

  const reopen = useCallback((deviceId?: string) => {
    if (deviceId !== undefined) chooseDevice('audioinput', deviceId);
    setMicrophone({ status: 'opening' });
    setAttempt((count) => count + 1);
  }, []);

  useRetryWhenAllowed(status === 'failed', permissions, reopen);

  const track = microphone.status === 'open' ? microphone.stream.getAudioTracks()[0] : undefined;
  return { microphone, devices: devicesOf('audioinput', devices), deviceId: track?.getSettings().deviceId, reopen };
}
