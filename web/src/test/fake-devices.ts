import { onTestFinished, vi } from 'vitest';
import { heldInTab, releaseFromTab } from '../lib/drafts/tab-memory.ts';
import { userOf } from './fake-api.ts';

/** A camera or microphone track, with only the properties that the product reads. */
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

/** A stream that a video element accepts. */
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

/** The behavior of the devices; tests may change it at any time. */
interface Behavior {
  /** The rejected devices, with the name of getUserMedia's error. */
  refused: { camera?: string; microphone?: string };
  /** The bytes that a recorder emits at the end; well over the minimum size unless a test says otherwise. */
  sizeBytes: number;
  /** Whether recorders begin on their own once started. */
  beginsAtOnce: boolean;
  /** Whether new recorders throw, as if they couldn't record the stream. */
  broken: boolean;
  /** The amplitude that the level meter reads, 0–1; null if Web Audio isn't available. */
  amplitude: number | null;
}

/** A recorder created by the page, driven by the test in place of the browser. */
interface FakeRecorder {
  options: MediaRecorderOptions;
  /** The first sound; nothing is recorded before. */
  begin: () => void;
  /** Fails: emits what it has, and stops. */
  fail: (error: unknown) => void;
  /** Emits a piece while recording continues. */
  give: (sizeBytes: number) => void;
}

export interface FakeDevices extends Behavior {
  /** The constraints of each getUserMedia call, and the resulting streams. */
  readonly asked: MediaStreamConstraints[];
  readonly opened: FakeStream[];
  /** The recorders created by the page, in order. */
  readonly recorders: FakeRecorder[];
}

/**
 * Fakes the devices that happy-dom lacks: a microphone, a camera, and a recorder without audio or video.
 * For testing what screens show and send; web/e2e tests real recordings in Chromium. Removed after the test.
 */
export function fakeDevices(behavior: Partial<Behavior> = {}): FakeDevices {
  const usual: Behavior = { refused: {}, sizeBytes: 20_000, beginsAtOnce: true, broken: false, amplitude: null };
  const devices: FakeDevices = { ...usual, ...behavior, asked: [], opened: [], recorders: [] };

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
    // Don't offer one test's unsent answers to the next.
    for (const { draft } of heldInTab(userOf('others').id)) releaseFromTab(draft.id);
    Reflect.deleteProperty(navigator, 'mediaDevices');
    vi.unstubAllGlobals();
  });
  return devices;
}
