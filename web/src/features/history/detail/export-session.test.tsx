import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { paths } from '../../../lib/paths.ts';
import { interviewDetail, interviewId, interviewRecording } from '../../../test/history/history-fixtures.ts';
import { openApp, server } from '../../../test/history/open-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => {
  vi.restoreAllMocks();
  server.resetHandlers();
});
afterAll(() => server.close());

const questions = ['One?', 'Two?', 'Three?'];

it('exports a session for printing, as JSON, and each answer as captions', async () => {
  const recordings = [0, 1, 2].map((questionId) => interviewRecording({ questionId, _id: `${questionId}`.repeat(24) }));
  server.use(
    http.get(`/api/interviews/${interviewId}`, () => HttpResponse.json(interviewDetail({ questions, recordings }))),
  );
  const saved: Blob[] = [];
  const names: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob);
    return 'blob:saved';
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {});
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const { user } = openApp(paths.interviewDetail(interviewId));
  // Three answers are collapsed.
  await user.click(await screen.findByRole('button', { name: 'Export' }));
  expect(screen.queryByRole('button', { name: 'Save captions (WebVTT)' })).toBeNull();
  const print = vi.fn(() => {
    window.dispatchEvent(new Event('beforeprint'));
    // All answers are expanded before printing.
    expect(document.querySelectorAll('article [role="group"][aria-label^="Transcription"]')).toHaveLength(3);
  });
  // Browser functions that jsdom lacks.
  window.print = print;
  await user.click(screen.getByRole('menuitem', { name: 'Print, or save as PDF' }));
  expect(print).toHaveBeenCalledOnce();

  await user.click(screen.getByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('menuitem', { name: 'JSON' }));
  const json = await saved[0]?.text();
  expect(JSON.parse(json ?? '')).toMatchObject({ title: 'Closures and scope', questions });
  expect(json).not.toContain('/api/media');

  await user.click(screen.getAllByRole('button', { name: 'Save captions (WebVTT)' })[1]!);
  expect(await saved[1]?.text()).toMatch(
    /^WEBVTT\n\n00:00:00\.000 --> 00:00:04\.800\nA closure remembers its scope\.\n/,
  );
  expect(names).toEqual([expect.stringMatching(/^closures-and-scope-.*\.json$/), 'question-2-take-1.vtt']);
});
