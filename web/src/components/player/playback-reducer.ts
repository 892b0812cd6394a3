/**
 * A player as it stands. Media addresses carry a short-lived token, so each is good for a while only: `source` is the
 * address that is loaded, `offered` the newest one known. They differ while something plays, since a fresh address is
 * no reason to interrupt it.
 */
export interface PlaybackState {
  phase: 'idle' | 'loading' | 'playing' | 'paused' | 'renewing' | 'failed';
  source: string;
  offered: string;
  /** Where to go on once the source is loaded, in milliseconds. */
  positionMs: number;
  /** Null until it is known. */
  durationMs: number | null;
  /** Whether it is to play as soon as it can. */
  wanted: boolean;
  /** Fresh addresses tried since it last played; at the limit the media counts as gone. */
  renewals: number;
}

/** What happens to a player; times in milliseconds. */
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

/** How many fresh addresses in a row are tried before the media counts as not available. */
export const renewalsMax = 2;

/** A player before anything is loaded. */
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

/** The player after an event. */
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
      // An element that fails or changes its source pauses too: that is not the listener's wish.
      return state.phase === 'playing' || state.phase === 'loading'
        ? { ...state, phase: 'paused', positionMs: event.atMs, wanted: false }
        : state;
    case 'ended':
      return { ...state, phase: 'paused', positionMs: 0, wanted: false };
    case 'duration':
      return { ...state, durationMs: event.durationMs };
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

function fail(state: PlaybackState): PlaybackState {
  if (state.phase === 'renewing' || state.phase === 'failed') return state;
  if (state.renewals >= renewalsMax) return { ...state, phase: 'failed', wanted: false };
  const renewed = { ...state, renewals: state.renewals + 1 };
  return state.offered === state.source ? { ...renewed, phase: 'renewing' } : load(renewed);
}
