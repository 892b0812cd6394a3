import type { DeviceProblem } from '../../../lib/recording/device-problem.ts';

/** What happened and what to do. */
interface Advice {
  title: string;
  advice: string;
}

/** Neither video nor audio. */
export const devicesAdvice: Readonly<Record<DeviceProblem, Advice>> = {
  denied: {
    title: 'Camera and microphone are blocked',
    advice:
      "Allow them for this site: click the icon next to the address, set 'Camera' and 'Microphone' to 'Allow', then try again. On a phone, use the site permissions in your browser's settings. The microphone alone is enough.",
  },
  missing: {
    title: 'No microphone found',
    advice: "Connect a microphone or headset, make sure it is switched on, then try again. You don't need a camera.",
  },
  busy: {
    title: 'The camera or microphone is in use',
    advice: 'Another program, perhaps a call, is using them. Close it, then try again.',
  },
  unsupported: {
    title: 'This browser cannot record',
    advice: 'Use a current version of Chrome, Edge, Firefox or Safari.',
  },
  insecure: {
    title: 'Recording needs a secure address',
    advice: 'Browsers allow the camera and microphone only on https:// pages or on this computer itself (localhost).',
  },
  lost: {
    title: 'The microphone was disconnected',
    advice: 'Reconnect it, then try again.',
  },
  unknown: {
    title: 'The camera and microphone could not be opened',
    advice: 'Check them in your system settings, then try again.',
  },
};

/** Why there is only audio. */
export const cameraAdvice: Readonly<Record<DeviceProblem, string>> = {
  denied: "The camera is blocked. To be seen, set 'Camera' to 'Allow' next to the address.",
  missing: 'No camera was found.',
  busy: 'Another program is using the camera.',
  unsupported: 'This browser does not support cameras.',
  insecure: 'Browsers allow the camera only at secure addresses.',
  lost: 'The camera was disconnected.',
  unknown: 'The camera could not be opened.',
};
