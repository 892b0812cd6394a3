import type { DeviceProblem } from '../../../lib/recording/device-problem.ts';

/** What happened, and what to do, in words. */
interface Advice {
  title: string;
  advice: string;
}

/** Neither picture nor sound: nothing can be recorded. */
export const devicesAdvice: Readonly<Record<DeviceProblem, Advice>> = {
  denied: {
    title: 'Camera and microphone are blocked',
    advice:
      "Allow them for this site: click the icon beside the address, set 'Camera' and 'Microphone' to 'Allow', then try again. On a phone it is in the browser's settings, under site permissions. The microphone alone is enough.",
  },
  missing: {
    title: 'No microphone was found',
    advice: 'Connect a microphone or a headset, check that it is switched on, then try again. A camera is not needed.',
  },
  busy: {
    title: 'Camera or microphone are in use',
    advice: 'Another program (a call, perhaps) holds them. Close it there, then try again.',
  },
  unsupported: {
    title: 'This browser cannot record',
    advice: 'Please use a current version of Chrome, Edge, Firefox or Safari.',
  },
  insecure: {
    title: 'Recording needs a secure address',
    advice:
      'Browsers give camera and microphone only to pages opened by https:// or on this machine itself (localhost).',
  },
  lost: {
    title: 'The microphone was disconnected',
    advice: 'Connect it again, then try again.',
  },
  unknown: {
    title: 'Camera and microphone could not be opened',
    advice: "Check them in the system's settings, then try again.",
  },
};

/** Sound without a picture: it can be recorded; this is why there is no picture. */
export const cameraAdvice: Readonly<Record<DeviceProblem, string>> = {
  denied: "The camera is blocked. To be seen, set 'Camera' to 'Allow' beside the address.",
  missing: 'No camera was found.',
  busy: 'Another program holds the camera.',
  unsupported: 'This browser gives no camera.',
  insecure: 'Browsers give the camera only to secure addresses.',
  lost: 'The camera was disconnected.',
  unknown: 'The camera could not be opened.',
};
