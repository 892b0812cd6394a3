import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { beforeEach, expect, test, vi } from 'vitest';
import { createStore } from '../../../app/store.ts';
import { toast } from '../../../lib/toasts.ts';
import { useAnswerUpload } from './use-answer-upload.ts';

const answer = { draftId: 'd', blob: new Blob(['sound']), durationMs: 1000 };
const target = {
  userId: 'u',
  setId: 's',
  sessionId: '11111111-2222-4333-8444-555555555555',
  questionId: 0,
  setTitle: 'Hooks',
  setUpdatedAt: '2026-11-01T00:00:00.000Z',
};

beforeEach(() => {
  vi.restoreAllMocks();
});

test.each(['userId', 'setId'] as const)('without %s nothing is sent, and the toast says so', async (missing) => {
  const said = vi.spyOn(toast, 'error');
  const fetching = vi.spyOn(globalThis, 'fetch');
  const dispatch = vi.fn();
  const store = createStore();
  const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>;
  const uploading = { phase: { name: 'uploading', answer }, index: 0, waiting: [] };
  const targetOf = () => ({ ...target, [missing]: '' });
  renderHook(() => useAnswerUpload('interview', uploading, dispatch, targetOf, { current: new Map() }), { wrapper });
  const message = 'Missing required data for upload';
  await waitFor(() => expect(dispatch).toHaveBeenCalledWith({ type: 'upload-failed', message }));
  expect(said).toHaveBeenCalledWith(message, expect.anything());
  expect(fetching).not.toHaveBeenCalled();
});
