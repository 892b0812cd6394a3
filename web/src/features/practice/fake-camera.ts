import { vi } from 'vitest';

/** A camera's or a microphone's track: no more than the product reads of one. */
class FakeTrack extends EventTarget {
  stopped = false;
  readonly kind: 'audio' | 'video';
  constructor(kind: 'audio' | 'video') {
    super();
    this.kind = kind;
  }
  stop = () => {
    this.stopped = true;
  };
  getSettings = () => ({});
}

/** A stream that a video element takes. */
class FakeStream extends MediaStream {
  readonly tracks: FakeTrack[];
  constructor(tracks: FakeTrack[]) {
    super();
    this.tracks = tracks;
  }
  override getTracks = () => this.tracks as unknown as MediaStreamTrack[];
  override getAudioTracks = () => this.getTracks().filter(({ kind }) => kind === 'audio');
  override getVideoTracks = () => this.getTracks().filter(({ kind }) => kind === 'video');
}

/** What a recorder of a test was asked for. */
interface RecorderOptions {
  mimeType?: string;
  audioBitsPerSecond?: number;
  videoBitsPerSecond?: number;
}

/** Camera and microphone as happy-dom lacks them, and a recorder whose recordings have the size that the test wants. */
export interface FakeCamera {
  /** Which devices are refused, by the name of getUserMedia's error. */
  refused: { camera?: string; microphone?: string };
  /** Bytes of each recording. */
  sizeBytes: number;
  readonly opened: FakeStream[];
  readonly recorders: RecorderOptions[];
}

/** Puts fakes in the place of the browser's devices until `vi.unstubAllGlobals`. What is really recorded, web/e2e tests in Chromium. */
export function fakeCamera(): FakeCamera {
  const camera: FakeCamera = { refused: {}, sizeBytes: 5000, opened: [], recorders: [] };

  const getUserMedia = async ({ video }: MediaStreamConstraints) => {
    const refusal = camera.refused.microphone ?? (video ? camera.refused.camera : undefined);
    if (refusal !== undefined) throw new DOMException('', refusal);
    const stream = new FakeStream([new FakeTrack('audio'), ...(video ? [new FakeTrack('video')] : [])]);
    camera.opened.push(stream);
    return stream;
  };

  class FakeRecorder {
    static isTypeSupported = () => true;
    state = 'inactive';
    mimeType: string;
    onstart: (() => void) | null = null;
    ondataavailable: ((event: { data: Blob }) => void) | null = null;
    onstop: (() => void) | null = null;
    constructor(_stream: FakeStream, options: RecorderOptions) {
      this.mimeType = options.mimeType ?? '';
      camera.recorders.push(options);
    }
    start() {
      this.state = 'recording';
      queueMicrotask(() => this.onstart?.());
    }
    stop() {
      this.state = 'inactive';
      queueMicrotask(() => {
        this.ondataavailable?.({ data: new Blob([new Uint8Array(camera.sizeBytes)]) });
        this.onstop?.();
      });
    }
  }

  class FakeAudioContext {
    state = 'running';
    createAnalyser = () => ({ fftSize: 0, getFloatTimeDomainData: (samples: Float32Array) => samples.fill(0.2) });
    createMediaStreamSource = () => ({ connect: () => undefined });
    resume = async () => undefined;
    close = async () => undefined;
  }

  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('MediaRecorder', FakeRecorder);
  vi.stubGlobal('MediaStream', FakeStream);
  vi.stubGlobal('AudioContext', FakeAudioContext);
  vi.stubGlobal(
    'navigator',
    new Proxy(navigator, {
      get: (target, name) =>
        name === 'mediaDevices'
          ? Object.assign(new EventTarget(), { getUserMedia, enumerateDevices: async () => [] })
          : Reflect.get(target, name, target),
    }),
  );
  return camera;
}
