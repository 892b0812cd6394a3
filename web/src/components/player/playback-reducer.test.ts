import { describe, expect, it } from 'vitest';
import { type PlaybackEvent, playbackReducer, renewalsMax, startPlayback } from './playback-reducer.ts';

const after = (events: PlaybackEvent[], source = '/media/1?token=a', durationMs: number | null = 60_000) =>
  events.reduce(playbackReducer, startPlayback(source, durationMs));

const fresh: PlaybackEvent = { type: 'offered', source: '/media/1?token=b' };
const playing: PlaybackEvent[] = [{ type: 'play-asked' }, { type: 'playing' }];
const failed: PlaybackEvent = { type: 'failed', atMs: 12_000 };

describe('playbackReducer', () => {
  it('has nothing to play without a URL, until one arrives', () => {
    expect(after([], '').phase).toBe('failed');
    expect(after([fresh], '')).toMatchObject({ phase: 'idle', source: '/media/1?token=b' });
  });

  it('uses a new URL while nothing is loaded', () => {
    expect(after([fresh])).toMatchObject({ phase: 'idle', source: '/media/1?token=b' });
  });

  it('does not interrupt playback for a new URL', () => {
    expect(after([...playing, fresh])).toMatchObject({
      phase: 'playing',
      source: '/media/1?token=a',
      offered: '/media/1?token=b',
    });
  });

  it('requests a new URL when the media fails, and resumes at the same position', () => {
    const renewing = after([...playing, failed]);
    expect(renewing).toMatchObject({ phase: 'renewing', wanted: true });
    expect(playbackReducer(renewing, fresh)).toMatchObject({
      phase: 'loading',
      source: '/media/1?token=b',
      positionMs: 12_000,
      wanted: true,
    });
  });

  it('uses a new URL that is already known, without a request', () => {
    expect(after([...playing, fresh, failed])).toMatchObject({ phase: 'loading', source: '/media/1?token=b' });
  });

  it('is unavailable when there is no new URL', () => {
    expect(after([...playing, failed, { type: 'not-renewed' }])).toMatchObject({ phase: 'failed', wanted: false });
    expect(
      after([...playing, failed, { type: 'offered', source: '/media/1?token=a' }, { type: 'not-renewed' }]).phase,
    ).toBe('failed');
  });

  it('gives up when several new URLs fail in a row', () => {
    const events = Array.from({ length: renewalsMax }, (_, index): PlaybackEvent[] => [
      failed,
      { type: 'offered', source: `/media/1?token=${index}` },
    ]).flat();
    expect(after([...playing, ...events]).phase).toBe('loading');
    expect(after([...playing, ...events, failed]).phase).toBe('failed');
  });

  it('resets the failure count once it has played', () => {
    expect(after([...playing, failed, fresh, { type: 'playing' }]).renewals).toBe(0);
  });

  it('can be retried', () => {
    expect(after([...playing, failed, { type: 'not-renewed' }, { type: 'retry-asked' }])).toMatchObject({
      phase: 'renewing',
      wanted: true,
    });
  });

  it('can be played once the server has prepared media that the browser could not play', () => {
    const unprepared = after([...playing, failed, { type: 'not-renewed' }], '/media/1?token=a', null);
    expect(unprepared.phase).toBe('failed');
    const events: PlaybackEvent[] = [fresh, { type: 'duration', durationMs: 2000 }];
    expect(events.reduce(playbackReducer, unprepared)).toMatchObject({
      phase: 'idle',
      source: '/media/1?token=b',
      durationMs: 2000,
    });
  });

  it('stops while loading on request', () => {
    expect(after([{ type: 'play-asked' }, { type: 'pause-asked' }])).toMatchObject({ phase: 'paused', wanted: false });
  });

  it('stays paused after a renewal if it was paused in the meantime', () => {
    expect(after([...playing, failed, { type: 'pause-asked' }, fresh, { type: 'ready' }])).toMatchObject({
      phase: 'paused',
      wanted: false,
      positionMs: 12_000,
    });
  });

  it('starts from the beginning after the end', () => {
    expect(after([...playing, { type: 'ended' }])).toMatchObject({ phase: 'paused', positionMs: 0, wanted: false });
  });
});
