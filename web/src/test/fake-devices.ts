import { onTestFinished, vi } from 'vitest';
import { heldInTab, releaseFromTab } from '../lib/drafts/tab-memory.ts';
import { userOf } from './fake-api.ts';

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
  getSettings = () => ({ deviceId: this.kind });
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

/** How the devices behave; a test may change it as it goes. */
interface Behaviour {
  /** Which devices are refused, by the name of getUserMedia's error. */
  refused: { camera?: string; microphone?: string };
  /** Bytes that a recorder gives out at its end; well over the smallest size unless a test says otherwise. */
  sizeBytes: number;
  /** Whether a recorder begins by itself as soon as it is started. */
  beginsAtOnce: boolean;
  /** Whether a new recorder throws, as one does that cannot record the stream. */
  broken: boolean;
  /** The amplitude that the level meter reads, 0–1; null where Web Audio does not run. */
  amplitude: number | null;
}

/** A recorder that the page made; a test drives it as the browser would. */
interface FakeRecorder {
  options: MediaRecorderOptions;
  /** The first sound: until then nothing is recorded. */
  begin: () => void;
  /** Breaks down: gives out what it has, and stops. */
  fail: (error: unknown) => void;
  /** Gives out a piece of the recording while it goes on. */
  give: (sizeBytes: number) => void;
}

export interface FakeDevices extends Behaviour {
  /** What each getUserMedia was asked for, and the streams that it gave. */
  readonly asked: MediaStreamConstraints[];
  readonly opened: FakeStream[];
  /** The recorders that the page made, in their order. */
  readonly recorders: FakeRecorder[];
}

/**
 * Puts devices in the place of those that happy-dom lacks: a microphone, a camera and a recorder without sound or picture.
 * They show what the screens say and send; what is really recorded, web/e2e tests in Chromium. Removed when the test is over.
 */
export function fakeDevices(behaviour: Partial<Behaviour> = {}): FakeDevices {
  const usual: Behaviour = { refused: {}, sizeBytes: 20_000, beginsAtOnce: true, broken: false, amplitude: null };
  const devices: FakeDevices = { ...usual, ...behaviour, asked: [], opened: [], recorders: [] };

  const getUserMedia = async (constraints: MediaStreamConstraints) => {
    devices.asked.push(constraints);
    const refusal = devices.refused.microphone ?? (constraints.video ? devices.refused.camera : undefined);
    if (refusal !== undefined) throw new DOMException('', refusal);
    const stream = new FakeStream([new FakeTrack('audio'), ...(constraints.video ? [new FakeTrack('video')] : [])]);
    devices.opened.push(stream);
    return stream;
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

    constructor(_stream: MediaStream, options: MediaRecorderOptions) {
      if (devices.broken) throw new DOMException('No track can be recorded', 'NotSupportedError');
      this.mimeType = options.mimeType ?? '';
      devices.recorders.push({
        options,
        begin: () => this.onstart?.(),
        fail: (error) => {
          this.#end();
          this.onerror?.(error);
        },
        give: (sizeBytes) => this.#give(sizeBytes),
      });
    }

    start() {
      this.state = 'recording';
      if (devices.beginsAtOnce) queueMicrotask(() => this.onstart?.());
    }

    stop() {
      this.#end();
    }

    #give(sizeBytes: number) {
      this.ondataavailable?.({ data: new Blob([new Uint8Array(sizeBytes)], { type: this.mimeType }) });
    }

    #end() {
      this.state = 'inactive';
      queueMicrotask(() => {
        this.#give(devices.sizeBytes);
        this.onstop?.();
      });
    }
  }

  class FakeAudioContext {
    get state() {
      return devices.amplitude === null ? 'suspended' : 'running';
    }
    createAnalyser = () => ({
      fftSize: 0,
      getFloatTimeDomainData: (samples: Float32Array) => samples.fill(devices.amplitude ?? 0),
    });
    createMediaStreamSource = () => ({ connect: () => {} });
    resume = async () => {};
    close = async () => {};
  }

  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('MediaRecorder', Recorder);
  vi.stubGlobal('MediaStream', FakeStream);
  vi.stubGlobal('AudioContext', FakeAudioContext);
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: mediaDevices });
  onTestFinished(() => {
    // What a test leaves unsent is not offered to the next one.
    for (const { draft } of heldInTab(userOf('others').id)) releaseFromTab(draft.id);
    Reflect.deleteProperty(navigator, 'mediaDevices');
    vi.unstubAllGlobals();
  });
  return devices;
}
