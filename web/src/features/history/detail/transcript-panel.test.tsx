import type { Transcription } from '@interview-prep/contracts/recording/recordings';
import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { startPlayback } from '../../../components/player/playback-reducer.ts';
import { createPlaybackClock, type Playback } from '../../../components/player/use-playback.ts';
import { interviewRecording } from '../../../test/history/history-fixtures.ts';
import { TranscriptPanel } from './transcript-panel.tsx';

function open(url = '/media/1?token=a', gaps?: Transcription['gaps']) {
  const clock = createPlaybackClock();
  const seek = vi.fn<Playback['seek']>();
  const playMoment = vi.fn<Playback['playMoment']>();
  const playback: Playback = {
    state: startPlayback(url, 5000),
    clock,
    rate: 1,
    seek,
    playMoment,
    attach: () => undefined,
    toggle: () => undefined,
    setRate: () => undefined,
    retry: () => undefined,
  };
  const { transcription } = interviewRecording();
  const { container } = render(
    <MantineProvider>
      <TranscriptPanel transcription={{ ...transcription, gaps }} playback={playback} label="answer to question 1" />
    </MantineProvider>,
  );
  return {
    clock,
    seek,
    playMoment,
    user: userEvent.setup(),
    now: () => container.querySelector('[data-now=true]')?.textContent,
  };
}

describe('the transcript', () => {
  it('highlights the word being spoken', () => {
    const { clock, now } = open();
    expect(now()).toBeUndefined();
    act(() => clock.set(1200));
    expect(now()).toBe('closure');
    act(() => clock.set(4100));
    expect(now()).toBe('scope.');
  });

  it('plays from a clicked word', async () => {
    const { seek, user } = open();
    await user.click(screen.getByText('remembers'));
    expect(seek).toHaveBeenCalledExactlyOnceWith(2000, true);
  });

  it('plays passages that could not be transcribed', async () => {
    const { playMoment, user } = open(undefined, [{ fromMs: 65_000, toMs: 69_200 }]);
    expect(screen.getByText(/^4 s could not be transcribed/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Play from 1:05' }));
    expect(playMoment).toHaveBeenCalledExactlyOnceWith(65_000, 69_200);
  });

  it('can be navigated with the arrow keys, and plays from a word on Enter', async () => {
    const { seek, user } = open();
    await user.tab();
    expect(screen.getByRole('group', { name: 'Transcription of the answer to question 1' })).toHaveFocus();
    await user.keyboard('{ArrowRight}');
    expect(screen.getByText('A')).toHaveFocus();
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}');
    expect(screen.getByText('closure')).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(seek).toHaveBeenCalledExactlyOnceWith(1000, true);
  });

  it('is plain text if there is nothing to play', () => {
    open('');
    expect(screen.getByText('A closure remembers its scope.')).toBeVisible();
    expect(screen.queryByRole('group')).not.toBeInTheDocument();
  });
});
