import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { MediaKind } from './media-kind.ts';
import { RecordingPlayer } from './recording-player.tsx';
import { SharedPlaybackProvider } from './shared-playback.tsx';
import { usePlayback } from './use-playback.ts';

/** HTMLMediaElement.HAVE_ENOUGH_DATA */
const haveEnoughData = 4;

interface Answer {
  label: string;
  url?: string;
  kind?: MediaKind;
  durationMs?: number | null;
  renew?: () => Promise<string>;
}

function Player({ label, url = `/media/${label}?token=a`, kind = 'audio', durationMs = 60_000, renew }: Answer) {
  const playback = usePlayback(url, durationMs, renew ?? (async () => ''));
  return <RecordingPlayer playback={playback} kind={kind} label={label} />;
}

function open(...answers: Answer[]) {
  const tree = (shown: Answer[]) => (
    <MantineProvider>
      <SharedPlaybackProvider>
        {shown.map((answer) => (
          <Player key={answer.label} {...answer} />
        ))}
      </SharedPlaybackProvider>
    </MantineProvider>
  );
  const { container, rerender } = render(tree(answers));
  const media = [...container.querySelectorAll<HTMLMediaElement>('audio, video')];
  // Elements never load in this environment: pretend that they have.
  for (const element of media) {
    Object.defineProperty(element, 'readyState', { value: haveEnoughData });
  }
  return { user: userEvent.setup(), media, update: (...shown: Answer[]) => rerender(tree(shown)), container };
}

const slider = () => screen.getByRole('slider', { name: 'Position in the answer' });

describe('the player', () => {
  it('plays and pauses', async () => {
    const { user, media } = open({ label: 'answer' });
    await user.click(screen.getByRole('button', { name: 'Play answer' }));
    expect(media[0]?.paused).toBe(false);
    await user.click(screen.getByRole('button', { name: 'Pause answer' }));
    expect(media[0]?.paused).toBe(true);
    expect(screen.getByRole('button', { name: 'Play answer' })).toBeVisible();
  });

  it('can be used with the keyboard alone', async () => {
    const { user, media } = open({ label: 'answer' });
    slider().focus();
    await user.keyboard('{ArrowRight}{ArrowRight}{PageUp}');
    expect(media[0]?.currentTime).toBe(25);
    expect(slider()).toHaveAttribute('aria-valuenow', '25');
    expect(slider()).toHaveAttribute('aria-valuetext', '25 seconds of 1 minute 0 seconds');
    await user.keyboard('{Home}{ArrowLeft}');
    expect(media[0]?.currentTime).toBe(0);
    await user.keyboard('{End}');
    expect(media[0]?.currentTime).toBe(60);
    await user.keyboard(' ');
    expect(media[0]?.paused).toBe(false);
    await user.keyboard('k');
    expect(media[0]?.paused).toBe(true);
    await user.keyboard('>>');
    expect(media[0]?.playbackRate).toBe(1.5);
  });

  it('seeks to the pointer', () => {
    const { media } = open({ label: 'answer' });
    const bar = slider();
    bar.setPointerCapture = () => undefined;
    bar.getBoundingClientRect = () => new DOMRect(100, 0, 200, 44);
    fireEvent.pointerDown(bar, { clientX: 150, button: 0, pointerId: 1 });
    expect(media[0]?.currentTime).toBe(15);
  });

  it('plays one recording at a time, all at the same speed', async () => {
    const { user, media } = open({ label: 'one' }, { label: 'two' });
    await user.click(screen.getByRole('button', { name: 'Play one' }));
    await user.click(screen.getByRole('button', { name: 'Play two' }));
    expect(media.map(({ paused }) => paused)).toEqual([true, false]);
    expect(screen.getByRole('button', { name: 'Play one' })).toBeVisible();
    await user.selectOptions(screen.getAllByRole('combobox', { name: 'Playback speed' })[0] as HTMLElement, '1.25×');
    expect(media.map(({ playbackRate }) => playbackRate)).toEqual([1.25, 1.25]);
  });

  it('loads an answer only when it is played, if its duration is known', () => {
    expect(open({ label: 'known' }).media[0]?.preload).toBe('none');
    expect(open({ label: 'fresh', durationMs: null }).media[0]?.preload).toBe('metadata');
  });
});

describe('an expired media URL', () => {
  const expire = (element: HTMLMediaElement | undefined) => act(async () => fireEvent.error(element as HTMLElement));

  it('is renewed, and playback resumes at the same position', async () => {
    const renew = vi.fn(async () => '/media/answer?token=b');
    const { user, media } = open({ label: 'answer', renew });
    await user.click(screen.getByRole('button', { name: 'Play answer' }));
    if (media[0]) media[0].currentTime = 12;
    // A new source stops a real element without an event.
    const play = vi.spyOn(media[0] as HTMLMediaElement, 'play');
    const load = vi.spyOn(media[0] as HTMLMediaElement, 'load');
    await expire(media[0]);
    expect(renew).toHaveBeenCalledOnce();
    expect(load).toHaveBeenCalledOnce();
    expect(play).toHaveBeenCalledOnce();
    expect(media[0]?.getAttribute('src')).toBe('/media/answer');
    if (media[0]) media[0].currentTime = 0;
    fireEvent.loadedMetadata(media[0] as HTMLElement);
    expect(media[0]?.currentTime).toBe(12);
    expect(media[0]?.paused).toBe(false);
    expect(screen.getByRole('button', { name: 'Pause answer' })).toBeVisible();
  });

  it('is not replaced during playback, only after a failure', async () => {
    const renew = vi.fn(async () => '');
    const { user, media, update } = open({ label: 'answer', renew });
    await user.click(screen.getByRole('button', { name: 'Play answer' }));
    const load = vi.spyOn(media[0] as HTMLMediaElement, 'load');
    update({ label: 'answer', url: '/media/answer?token=b', renew });
    expect(load).not.toHaveBeenCalled();
    await expire(media[0]);
    expect(load).toHaveBeenCalledOnce();
    expect(renew).not.toHaveBeenCalled();
  });

  it('shows a message and a way to try again if it cannot be renewed', async () => {
    const addresses = ['', '/media/answer?token=c'];
    const { user, media, container } = open({ label: 'answer', renew: async () => addresses.shift() ?? '' });
    await user.click(screen.getByRole('button', { name: 'Play answer' }));
    await expire(media[0]);
    expect(screen.getByText('Audio recording not available')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(container.querySelector('audio')?.getAttribute('src')).toBe('/media/answer');
  });
});

describe('media that cannot be played', () => {
  it('shows that there is no audio', () => {
    open({ label: 'answer', url: '' });
    expect(screen.getByText('Audio recording not available')).toBeVisible();
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });

  it('shows that the format is not supported', () => {
    open({ label: 'answer', kind: 'unsupported' });
    expect(screen.getByText('Unsupported media format')).toBeVisible();
  });

  it('shows a video player for a video', () => {
    const { container } = open({ label: 'answer', kind: 'video' });
    expect(container.querySelector('video')).toHaveAttribute('src', '/media/answer');
    expect(container.querySelector('audio')).toBeNull();
  });
});
