import { useCallback, useEffect, useState } from 'react';
import { type DeviceProblem, useRetryWhenAllowed } from '../../../lib/recording/device-problem.ts';
import { chooseDevice, type InputKind, openInputs, useInputDevices } from '../../../lib/recording/input-devices.ts';
import { inputProblem, requireRecording, speechConstraints, stopTracks } from '../../../lib/recording/microphone.ts';
import type { Input } from '../session/answer-events.ts';

/** Enough for a face; at this bit rate a larger picture would look worse. */
const pictureConstraints: MediaTrackConstraints = {
  width: { ideal: 640 },
  height: { ideal: 360 },
  frameRate: { ideal: 20, max: 30 },
  facingMode: 'user',
};

/** An open input. `cameraProblem` says why there is no video. */
interface OpenedCamera {
  stream: MediaStream;
  cameraProblem: DeviceProblem | null;
}

/**
 * Opens camera and microphone, or only the microphone if the camera fails.
 * @throws NoMicrophoneError if the page can't record, or any getUserMedia error
 */
async function openCamera(): Promise<OpenedCamera> {
  requireRecording();
  const audio = speechConstraints;
  try {
    const stream = await openInputs({ audio, video: pictureConstraints });
    return { stream, cameraProblem: null };
  } catch (error) {
    console.error(error);
    const stream = await openInputs({ audio });
    return { stream, cameraProblem: inputProblem(error) };
  }
}

const permissions = ['camera', 'microphone'] as const;

interface Camera {
  input: Input;
  /** Why there is only audio; null otherwise. */
  cameraProblem: DeviceProblem | null;
}

const opening: Camera = { input: { status: 'opening' }, cameraProblem: null };

/** Keeps camera and microphone open while the screen is shown. `reopen` retries; `switchTo` opens another device. */
export function useCamera() {
  const [camera, setCamera] = useState<Camera>(opening);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt opens the device again
  useEffect(() => {
    let left = false;
    let opened: MediaStream | null = null;
    const fail = (problem: DeviceProblem) => {
      if (!left) setCamera({ input: { status: 'failed', problem }, cameraProblem: null });
    };
    openCamera().then(
      ({ stream, cameraProblem }) => {
        if (left) return stopTracks(stream);
        opened = stream;
        stream.getAudioTracks()[0]?.addEventListener('ended', () => fail('lost'));
        stream.getVideoTracks()[0]?.addEventListener('ended', () => {
          // The current recording keeps its audio; the next one is audio only.
          const sound: Input = { status: 'open', stream: new MediaStream(stream.getAudioTracks()) };
          if (!left) setCamera({ input: sound, cameraProblem: 'lost' });
        });
        setCamera({ input: { status: 'open', stream }, cameraProblem });
      },
      (error: unknown) => {
        console.error(error);
        fail(inputProblem(error));
      },
    );
    return () => {
      left = true;
      if (opened) stopTracks(opened);
    };
  }, [attempt]);

  const reopen = useCallback(() => {
    setCamera(opening);
    setAttempt((count) => count + 1);
  }, []);

  useRetryWhenAllowed(camera.input.status === 'failed', permissions, reopen);

  const switchTo = useCallback(
    (kind: InputKind, deviceId: string) => {
      chooseDevice(kind, deviceId);
      reopen();
    },
    [reopen],
  );

  return { ...camera, devices: useInputDevices(camera.input.status !== 'opening'), reopen, switchTo };
}
