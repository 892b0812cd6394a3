import type { DeviceProblem } from '../../../lib/recording/device-problem.ts';

/** What happened, and what to do, in words. */
export const microphoneAdvice: Readonly<Record<DeviceProblem, { title: string; advice: string }>> = {
  denied: {
    title: 'The microphone is blocked',
    advice:
      "Allow the microphone for this site: click the icon beside the address, set 'Microphone' to 'Allow', then try again. On a phone it is in the browser's settings, under site permissions.",
  },
  missing: {
    title: 'No microphone was found',
    advice: 'Connect a microphone or a headset, check that it is switched on, then try again.',
  },
  busy: {
    title: 'The microphone is in use',
    advice: 'Another program (a call, perhaps) holds the microphone. Close it there, then try again.',
  },
  unsupported: {
    title: 'This browser cannot record',
    advice: 'Please use a current version of Chrome, Edge, Firefox or Safari.',
  },
  insecure: {
    title: 'Recording needs a secure address',
    advice: 'Browsers give the microphone only to pages opened by https:// or on this machine itself (localhost).',
  },
  lost: {
    title: 'The microphone was disconnected',
    advice: 'Connect it again, or choose another one.',
  },
  unknown: {
    title: 'The microphone could not be opened',
    advice: "Check the microphone in the system's sound settings, then try again.",
  },
};
