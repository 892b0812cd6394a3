import type { DeviceProblem } from '../../../lib/recording/device-problem.ts';
import { openInputs } from '../../../lib/recording/input-devices.ts';
import { inputProblem, requireRecording, speechConstraints } from '../../../lib/recording/microphone.ts';

/** Enough for a face; at this bit rate a larger picture would look worse. */
const pictureConstraints: MediaTrackConstraints = {
  width: { ideal: 640 },
  height: { ideal: 360 },
  frameRate: { ideal: 20, max: 30 },
  facingMode: 'user',
};

/** An opened input. `cameraProblem` says why there is no picture. */
export interface OpenedCamera {
  stream: MediaStream;
  cameraProblem: DeviceProblem | null;
}

/**
 * Opens camera and microphone, or the microphone alone if the camera fails.
 * @throws NoMicrophoneError if the page cannot record, or what getUserMedia throws
 */
export async function openCamera(): Promise<OpenedCamera> {
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
