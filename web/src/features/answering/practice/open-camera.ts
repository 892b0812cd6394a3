import type { DeviceProblem } from '../../../lib/recording/device-problem.ts';
import { inputProblem, microphoneConstraints, requireRecording } from '../../../lib/recording/microphone.ts';

/** A face that speaks needs no more; a bigger picture would only look worse at the rate that the size limit allows. */
const pictureConstraints: MediaTrackConstraints = {
  width: { ideal: 640 },
  height: { ideal: 360 },
  frameRate: { ideal: 20, max: 30 },
  facingMode: 'user',
};

/** What was opened: sound, and a picture unless `cameraProblem` says why there is none. */
export interface OpenedCamera {
  stream: MediaStream;
  cameraProblem: DeviceProblem | null;
}

/**
 * Opens camera and microphone; where there is no camera to be had, the microphone alone. Rejects as getUserMedia does, or with
 * NoMicrophoneError, where there is no sound either.
 */
export async function openCamera(): Promise<OpenedCamera> {
  requireRecording();
  const audio = microphoneConstraints();
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ audio, video: pictureConstraints });
    return { stream, cameraProblem: null };
  } catch (error) {
    console.error(error);
    const stream = await navigator.mediaDevices.getUserMedia({ audio });
    return { stream, cameraProblem: inputProblem(error) };
  }
}
