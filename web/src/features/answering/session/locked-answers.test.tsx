import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { App } from '../../../app/app.tsx';
import { createStore } from '../../../app/store.ts';
import type { LockedDraft, UnsentAnswer } from '../../../lib/drafts/draft.ts';
import LeftAnswersDialog from '../logout/left-answers-dialog.tsx';
import { UnsentAnswers } from './unsent-answers.tsx';

const head = { kind: 'interview', userId: 'ada', setId: 'set', sessionId: 'session', startedAtMs: 1000 } as const;
const locked = (why: LockedDraft['locked']): LockedDraft => ({
  ...head,
  id: 'locked',
  questionId: 1,
  locked: why,
  sizeBytes: 4000,
});
const readable: UnsentAnswer = {
  ...head,
  id: 'readable',
  questionId: 0,
  setTitle: 'Hooks',
  setUpdatedAt: '2026-11-01T00:00:00.000Z',
  mediaType: 'audio/webm',
  persisted: true,
  answer: { draftId: 'readable', blob: new Blob([new Uint8Array(4000)]), durationMs: 9000 },
};

const show = (page: ReactNode) => render(<App store={createStore()} pages={page} />);
const button = (name: string) => screen.queryByRole('button', { name });

test('an unreadable answer says so, and can be discarded but not sent', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const deleted = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status: 204 }));
  const done = vi.fn();
  show(
    <UnsentAnswers
      kind="interview"
      unsent={[locked('unreadable')]}
      onAdopt={() => false}
      onDone={done}
      onSent={() => {}}
    />,
  );
  expect(screen.getByText('Question 2')).toBeVisible();
  expect(screen.getByText(/^It cannot be read: it was encrypted with another key/)).toBeVisible();
  expect(button('Send it')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(done).not.toHaveBeenCalled();
  await userEvent.click(await screen.findByRole('button', { name: 'Delete it' }));
  expect(done).toHaveBeenCalledWith('locked');
  expect(deleted).toHaveBeenCalledWith('/api/uploads/locked', expect.objectContaining({ method: 'DELETE' }));
});

test('a logout names unreadable answers; the others can still be sent', async () => {
  const left = { answers: [readable], locked: [locked('unreadable')], recordingElsewhere: false };
  show(<LeftAnswersDialog left={left} onStay={() => {}} onSettled={async () => {}} />);
  expect(await screen.findByText('Interview, question 2')).toBeVisible();
  expect(screen.getByText(/^It cannot be read/)).toBeVisible();
  expect(button('Send and log out')).toBeVisible();
  expect(button('Delete 2 answers and log out')).toBeVisible();
});

test('while a key is missing, a logout does not offer to send some and delete the rest', async () => {
  const left = { answers: [readable], locked: [locked('no-key')], recordingElsewhere: false };
  show(<LeftAnswersDialog left={left} onStay={() => {}} onSettled={async () => {}} />);
  expect(await screen.findByText(/its key cannot be loaded right now\. Stay signed in/)).toBeVisible();
  expect(button('Send and log out')).toBeNull();
  expect(button('Stay signed in')).toBeVisible();
});
