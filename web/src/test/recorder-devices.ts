import { onTestFinished, vi } from 'vitest';

/** What the recorder of the test gives out when it stops; well over the smallest size unless a test says otherwise. */
const usualBytes = 20_000;

/** A recorder that the page made; a test ends it or breaks it as the browser would. */
interface FakeRecorder {
  /** The first sound: until then nothing is recorded. */
  begin: () => void;
  fail: (error: unknown) => void;
}

interface Devices {
  /** The recorders that the page made, in their order. */
  recorders: FakeRecorder[];
  /** What each getUserMedia was asked for. */
  asked: MediaStreamConstraints[];
}

interface DeviceOptions {
  /** Rejects the microphone, and the camera with it. */
  refusal?: DOMException;
  /** Whether a recorder begins by itself as soon as it is started. */
  beginsAtOnce?: boolean;
  sizeBytes?: number;
  /** Throws as a recorder does that cannot record the stream. */
  broken?: boolean;
}

function trackOf(kind: 'audio' | 'video') {
  return Object.assign(new EventTarget(), { kind, stop: () => {}, getSettings: () => ({ deviceId: kind }) });
}

/**
 * Puts devices in the place of those that happy-dom lacks: a microphone, a camera and a recorder without sound or picture.
 * They show what the screens say and send; what is really recorded, web/e2e tests in Chromium. Taken away when the test is over.
 */
export function fakeDevices(options: DeviceOptions = {}): Devices {
  const { refusal, beginsAtOnce = true, sizeBytes = usualBytes, broken = false } = options;
  const devices: Devices = { recorders: [], asked: [] };

  const getUserMedia = async (constraints: MediaStreamConstraints) => {
    devices.asked.push(constraints);
    if (refusal) throw refusal;
    const audio = [trackOf('audio')];
    const video = constraints.video ? [trackOf('video')] : [];
    return { getAudioTracks: () => audio, getVideoTracks: () => video, getTracks: () => [...audio, ...video] };
  };
  const mediaDevices = Object.assign(new EventTarget(), { getUserMedia, enumerateDevices: async () => [] });

  class Recorder {
    static isTypeSupported = () => true;
    state = 'inactive';
    mimeType: string;
    onstart: (() => void) | null = null;
    ondataavailable: ((event: { data: Blob }) => void) | null = null;
    onstop: (() => void) | null = null;
    onerror: ((error: unknown) => void) | null = null;

    constructor(_stream: MediaStream, { mimeType = '' }: MediaRecorderOptions) {
      if (broken) throw new DOMException('No track can be recorded', 'NotSupportedError');
      this.mimeType = mimeType;
      devices.recorders.push({ begin: () => this.onstart?.(), fail: (error) => this.onerror?.(error) });
    }

    start() {
      this.state = 'recording';
      if (beginsAtOnce) queueMicrotask(() => this.onstart?.());
    }

    stop() {
      this.state = 'inactive';
      queueMicrotask(() => {
        this.ondataavailable?.({ data: new Blob([new Uint8Array(sizeBytes)], { type: this.mimeType }) });
        this.onstop?.();
      });
    }
  }

  /** Never runs: no sound, so no reading. */
  class SilentAudioContext {
    state = 'suspended';
    createAnalyser = () => ({ fftSize: 0 });
    createMediaStreamSource = () => ({ connect: () => {} });
    resume = async () => {};
    close = async () => {};
  }

  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('MediaRecorder', Recorder);
  vi.stubGlobal('AudioContext', SilentAudioContext);
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: mediaDevices });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'mediaDevices');
    vi.unstubAllGlobals();
  });
  return devices;
}
