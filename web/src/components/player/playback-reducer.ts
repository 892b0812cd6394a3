/**
 * A player's state. Media links carry a short-lived token. `source` is the loaded link, `offered` the newest one.
 * They may differ during playback, since a new link doesn't interrupt it.
 */
export interface PlaybackState {
  phase: 'idle' | 'loading' | 'playing' | 'paused' | 'renewing' | 'failed';
  source: string;
  offered: string;
  /** Where to continue once the source is loaded, in milliseconds. */
  positionMs: number;
  /** Null until loaded. */
  durationMs: number | null;
  /** Whether to play as soon as possible. */
  wanted: boolean;
  /** The number of new links tried since it last played. */
  renewals: number;
}

/** The player's events; times are in milliseconds. */
export type PlaybackEvent =
  | { type: 'offered'; source: string }
  | { type: 'play-asked' }
  | { type: 'pause-asked' }
  | { type: 'seek-asked'; toMs: number }
  | { type: 'ready' }
  | { type: 'playing' }
  | { type: 'paused'; atMs: number }
  | { type: 'ended' }
  | { type: 'duration'; durationMs: number }
  | { type: 'failed'; atMs: number }
  | { type: 'not-renewed' }
  | { type: 'retry-asked' };

/** After this many new links in a row, the media counts as unavailable. */
export const renewalsMax = 2;

/** The initial state, before anything is loaded. */
export function startPlayback(source: string, durationMs: number | null): PlaybackState {
  return {
    phase: source === '' ? 'failed' : 'idle',
    source,
    offered: source,
    positionMs: 0,
    durationMs,
    wanted: false,
    renewals: 0,
  };
}

export function playbackReducer(state: PlaybackState, event: PlaybackEvent): PlaybackState {
  switch (event.type) {
    case 'offered':
      return offer(state, event.source);
    case 'play-asked':
      return state.phase === 'failed' ? state : { ...state, wanted: true, phase: asked(state.phase) };
    case 'pause-asked':
      return { ...state, wanted: false, phase: state.phase === 'loading' ? 'paused' : state.phase };
    case 'seek-asked':
      return { ...state, positionMs: event.toMs };
    case 'ready':
      return state.phase === 'loading' && !state.wanted ? { ...state, phase: 'paused' } : state;
    case 'playing':
      return { ...state, phase: 'playing', renewals: 0 };
    case 'paused':
      // An element also fires `pause` when it fails or changes its source.
      return state.phase === 'playing' || state.phase === 'loading'
        ? { ...state, phase: 'paused', positionMs: event.atMs, wanted: false }
        : state;
    case 'ended':
      return { ...state, phase: 'paused', positionMs: 0, wanted: false };
    case 'duration':
      return prepared({ ...state, durationMs: event.durationMs });
    case 'failed':
      return fail({ ...state, positionMs: event.atMs > 0 ? event.atMs : state.positionMs });
    case 'not-renewed':
      return state.phase === 'renewing' ? { ...state, phase: 'failed', wanted: false } : state;
    case 'retry-asked':
      return state.phase === 'failed' ? { ...state, phase: 'renewing', renewals: 1, wanted: true } : state;
  }
}

const asked = (phase: PlaybackState['phase']) => (phase === 'idle' || phase === 'paused' ? 'loading' : phase);

const load = (state: PlaybackState): PlaybackState => ({ ...state, phase: 'loading', source: state.offered });

function offer(state: PlaybackState, source: string): PlaybackState {
  const offered = { ...state, offered: source };
  if (source === '' || source === state.offered) return state;
  if (state.phase === 'renewing') return load(offered);
  if (state.phase === 'idle' || state.source === '') return { ...offered, source, phase: 'idle' };
  return offered;
}

/** The server knows the duration once it has prepared the media, which a browser may be able to play even if it can't play the upload. */
function prepared(state: PlaybackState): PlaybackState {
  if (state.phase !== 'failed' || state.offered === '') return state;
  return { ...state, phase: 'idle', source: state.offered, renewals: 0 };
}

function fail(state: PlaybackState): PlaybackState {
  if (state.phase === 'renewing' || state.phase === 'failed') return state;
  if (state.renewals >= renewalsMax) return { ...state, phase: 'failed', wanted: false };
  const renewed = { ...state, renewals: state.renewals + 1 };
  return state.offered === state.source ? { ...renewed, phase: 'renewing' } : load(renewed);
}
