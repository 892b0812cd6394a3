import type { Point } from '@interview-prep/contracts/recording/recordings';
import type { NewReview, NewSnippet } from '@interview-prep/contracts/recording/reviews';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../../../lib/paths.ts';
import {
  interviewDetail,
  interviewId,
  interviewRecording,
  recordingId,
} from '../../../test/history/history-fixtures.ts';
import { openApp, server } from '../../../test/history/open-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const shows = (recording = interviewRecording()) =>
  server.use(
    http.get(`/api/interviews/${interviewId}`, () => HttpResponse.json(interviewDetail({ recordings: [recording] }))),
  );
function reviewed() {
  const recording = interviewRecording({ correctnessPercentage: 95 });
  return {
    ...recording,
    assessment: {
      ...recording.assessment,
      appeal: { reason: 'I did say it', createdAt: '2026-11-21T08:00:00.000Z' },
      machine: { isCorrect: false, correctnessPercentage: 20 },
      review: {
        by: 'admin' as const,
        createdAt: '2026-11-21T09:00:00.000Z',
        correctnessPercentage: 95,
        reason: 'Right, in other words.',
        comments: [{ atMs: 2500, text: 'Here you say it.' }],
      },
    },
  };
}

it('requests a human review, and shows the request', async () => {
  shows();
  const sent: unknown[] = [];
  server.use(
    http.post(`/api/recordings/${recordingId}/appeal`, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ message: 'Review requested' }, { status: 201 });
    }),
  );
  const { user } = openApp(paths.interviewDetail(interviewId));
  await user.click(await screen.findByRole('button', { name: 'Request a human review' }));
  await user.type(screen.getByRole('textbox', { name: 'What is wrong with this verdict?' }), 'I did say it');
  await user.click(screen.getByRole('button', { name: 'Request a human review' }));
  expect(await screen.findByText('Waiting for a reviewer')).toBeVisible();
  expect(sent).toEqual([{ reason: 'I did say it' }]);
  expect(screen.queryByRole('button', { name: 'Request a human review' })).toBeNull();
});

it.each([
  ['covered', 0],
  ['missing', 1],
] as const)("gives the judge's reason for a point that a reviewer finds %s %i times", async (state, times) => {
  const recording = reviewed();
  const point: Point = {
    text: 'Kept alive',
    covered: state === 'covered',
    state,
    evidence: '',
    reason: "You didn't mention this.",
    review: { reason: 'I listened.', before: { covered: false, state: 'missing' } },
  };
  shows({ ...recording, assessment: { ...recording.assessment, points: [point] } });
  openApp(paths.interviewDetail(interviewId));
  expect(await screen.findByText(/Reviewed by a person\./)).toBeVisible();
  expect(screen.queryAllByText("You didn't mention this.")).toHaveLength(times);
});

it("shows a review next to the machine's verdict, with comments at their times", async () => {
  shows(reviewed());
  openApp(paths.interviewDetail(interviewId));
  const note = within(await screen.findByRole('region', { name: 'Human review' }));
  expect(note.getByText('95%')).toBeVisible();
  expect(note.getByText('20%')).toBeVisible();
  expect(note.getByText('Right, in other words.')).toBeVisible();
  expect(note.getByRole('button', { name: 'Play from 0:02' })).toBeVisible();
  // A reviewer's verdict is final.
  for (const name of ['Edit the transcript', 'I said this', 'Request a human review'])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

it('shows when each review was given, to admins by whom, and earlier ones on demand', async () => {
  const recording = reviewed();
  const { review } = recording.assessment;
  const earlier = {
    ...review,
    createdAt: '2026-11-21T08:30:00.000Z',
    reviewer: { userId: 'u', email: null },
    correctnessPercentage: 40,
    reason: 'At first sight.',
    comments: [],
    points: [{ text: 'Private state', state: 'partial' as const, reason: 'Half of it.' }],
  };
  const reviewer = { userId: 'r', email: 'reviewer@example.com' };
  const assessment = { ...recording.assessment, review: { ...review, reviewer }, earlierReviews: [earlier] };
  shows({ ...recording, assessment });
  const { user } = openApp(paths.interviewDetail(interviewId), { email: 'admin@example.com', role: 'admin' });
  const note = within(await screen.findByRole('region', { name: 'Human review' }));
  expect(note.getByText(/reviewer@example\.com/)).toBeVisible();
  expect(note.getByText('At first sight.')).not.toBeVisible();
  await user.click(note.getByText('Earlier reviews (1)'));
  expect(note.getByText('At first sight.')).toBeVisible();
  expect(note.getByText(/40% · Deleted user/)).toBeVisible();
  expect(note.getByText('Partly covered: Half of it.')).toBeVisible();
});

describe('an admin', () => {
  const admin = { email: 'admin@example.com', role: 'admin' as const };

  it('judges points and the whole, with a reason', async () => {
    shows();
    const sent: NewReview[] = [];
    server.use(
      http.put(`/api/recordings/${recordingId}/review`, async ({ request }) => {
        sent.push((await request.json()) as NewReview);
        const { assessment, correctnessPercentage } = reviewed();
        return HttpResponse.json({ isCorrect: true, correctnessPercentage, assessment });
      }),
    );
    const { user } = openApp(paths.interviewDetail(interviewId), admin);
    await user.click(await screen.findByRole('button', { name: 'Give a verdict' }));
    const form = within(screen.getByRole('region', { name: 'Your verdict' }));
    expect(form.getByRole('button', { name: 'Save verdict' })).toBeDisabled();
    await user.selectOptions(form.getByRole('combobox', { name: 'Private state' }), 'Partly covered');
    await user.click(form.getByRole('button', { name: 'Comment at this moment of the recording' }));
    await user.type(form.getByRole('textbox', { name: 'Comment at 0:00' }), 'Here');
    await user.type(form.getByRole('textbox', { name: 'Why' }), 'Right, in other words.');
    await user.click(form.getByRole('button', { name: 'Save verdict' }));
    expect(await screen.findByRole('region', { name: 'Human review' })).toBeVisible();
    expect(sent).toEqual([
      {
        correctnessPercentage: null,
        points: [{ point: 1, state: 'partial', reason: '' }],
        reason: 'Right, in other words.',
        comments: [{ atMs: 0, text: 'Here' }],
      },
    ]);
  });

  /** Serves a review and opens its form. @returns the form and the requests it sends */
  async function reopens(recording: ReturnType<typeof interviewRecording>) {
    shows(recording);
    const sent: NewReview[] = [];
    server.use(
      http.put(`/api/recordings/${recordingId}/review`, async ({ request }) => {
        sent.push((await request.json()) as NewReview);
        const { isCorrect, correctnessPercentage, assessment } = recording;
        return HttpResponse.json({ isCorrect, correctnessPercentage, assessment });
      }),
    );
    const { user } = openApp(paths.interviewDetail(interviewId), admin);
    await user.click(await screen.findByRole('button', { name: 'Change your verdict' }));
    return { user, sent, form: within(screen.getByRole('region', { name: 'Your verdict' })) };
  }
  const save = 'Save verdict';
  const decided: Point = {
    text: 'Kept alive',
    covered: false,
    state: 'partial',
    evidence: 'kept',
    weight: 40,
    credit: 20,
    review: { reason: 'Only half of it.', before: { covered: false, state: 'missing', credit: 0 } },
  };
  const sure: Point = { text: 'A function', covered: true, state: 'covered', evidence: 'a', weight: 60, credit: 60 };

  it('keeps the percentage and the reasons of a review opened to fix a word', async () => {
    const recording = reviewed();
    const { user, sent, form } = await reopens({
      ...recording,
      assessment: { ...recording.assessment, points: [sure, decided] },
    });
    expect(form.getByRole('textbox', { name: 'Percentage of the whole answer' })).toHaveValue('95%');
    await user.type(form.getByRole('textbox', { name: 'Why' }), ' Well done.');
    await user.click(form.getByRole('button', { name: save }));
    await waitFor(() =>
      expect(sent).toEqual([
        {
          correctnessPercentage: 95,
          points: [{ point: 1, state: 'partial', reason: 'Only half of it.' }],
          reason: 'Right, in other words. Well done.',
          comments: [{ atMs: 2500, text: 'Here you say it.' }],
        },
      ]),
    );
  });

  it('recalculates the sum if one of the points is changed in a review that was their sum', async () => {
    const recording = reviewed();
    const { user, sent, form } = await reopens({
      ...recording,
      correctnessPercentage: 80,
      assessment: {
        ...recording.assessment,
        points: [sure, decided],
        review: { ...recording.assessment.review, correctnessPercentage: 80, comments: [] },
      },
    });
    expect(form.getByRole('textbox', { name: 'Percentage of the whole answer' })).toHaveValue('80%');
    await user.selectOptions(form.getByRole('combobox', { name: 'Kept alive' }), 'Contradicted');
    const why = form.getByRole('textbox', { name: 'Why, for “Kept alive”' });
    await user.clear(why);
    await user.type(why, 'The opposite.');
    expect(form.getByRole('textbox', { name: 'Percentage of the whole answer' })).toHaveValue('');
    await user.click(form.getByRole('button', { name: save }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({
      correctnessPercentage: null,
      points: [{ point: 1, state: 'contradicted', reason: 'The opposite.' }],
    });
  });

  it("sees unsure points first, and can accept the judge's guess", async () => {
    const unsure: Point = {
      ...decided,
      text: 'Its scope',
      review: undefined,
      creditRange: { from: 0, to: 40 },
    };
    const recording = reviewed();
    const { user, sent, form } = await reopens({
      ...recording,
      assessment: { ...recording.assessment, points: [sure, unsure] },
    });
    const choices = form.getAllByRole('combobox');
    expect(choices.map((choice) => (choice as HTMLSelectElement).selectedOptions[0]?.text)).toEqual([
      'Not sure, best guess: Partly covered',
      'As judged: Covered',
    ]);
    await user.selectOptions(form.getByRole('combobox', { name: 'Its scope' }), 'Partly covered');
    await user.click(form.getByRole('button', { name: save }));
    await waitFor(() => expect(sent[0]?.points).toEqual([{ point: 1, state: 'partial', reason: '' }]));
  });

  it('sees who is waiting, and where judge and reviewers differ most', async () => {
    const appeal = {
      cause: 'appeal',
      recordingId,
      interviewId,
      questionId: 0,
      question: 'What is a closure?',
      title: 'Closures and scope',
      email: 'candidate@example.com',
      createdAt: '2026-11-21T08:00:00.000Z',
      reason: 'I did say it',
      machinePercentage: 20,
      reviewPercentage: null,
      unsurePoints: 2,
    };
    const figures = { count: 3, pearson: 0.5, kappa: null, difference: 30 };
    server.use(
      http.get('/api/groups', () => HttpResponse.json({ groups: [] })),
      http.get('/api/recordings/review-queue', ({ request }) =>
        HttpResponse.json(
          new URL(request.url).searchParams.get('state') === 'reviewed'
            ? { items: [{ ...appeal, reviewPercentage: 90, unsurePoints: 0 }], total: 1 }
            : {
                items: [
                  appeal,
                  { ...appeal, recordingId: 'e'.repeat(24), reason: 'More than a third was edited.', automatic: true },
                ],
                total: 2,
              },
        ),
      ),
      http.get('/api/recordings/agreement', () =>
        HttpResponse.json({
          all: figures,
          sets: [],
          questions: [{ ...figures, title: 'Closures and scope', question: 'What is hoisting?' }],
        }),
      ),
    );
    const { user } = openApp(paths.appeals, admin);
    const [link] = await screen.findAllByRole('link', { name: 'What is a closure?' });
    expect(link).toHaveAttribute('href', `/interviews/${interviewId}#question-1`);
    expect(screen.getAllByText('Appeal · judge 20% · 2 unsure points')).toHaveLength(2);
    expect(screen.getByText('2 answers waiting')).toBeVisible();
    // Quotation marks are for candidates' words, not for our own.
    expect(screen.getByText('I did say it').tagName).toBe('Q');
    expect(screen.getByText('More than a third was edited.').tagName).toBe('SPAN');
    await waitFor(() => expect(screen.getByRole('cell', { name: 'What is hoisting?' })).toBeVisible());
    await user.click(screen.getByRole('radio', { name: 'Reviewed' }));
    expect(await screen.findByText('Appeal · judge 20% · reviewer 90%')).toBeVisible();
  });
});

it('asks if another admin has reviewed in the meantime, and shows their review', async () => {
  const recording = reviewed();
  const { review } = recording.assessment;
  const versions: (string | null)[] = [];
  const at = (version: string, reason: string) => ({
    ...recording,
    assessment: { ...recording.assessment, version, review: { ...review, reason } },
  });
  shows(at('v1', 'Right, in other words.'));
  server.use(
    http.put(`/api/recordings/${recordingId}/review`, ({ request }) => {
      versions.push(request.headers.get('If-Match'));
      shows(at('v2', 'Wrong after all.'));
      const conflict = { by: 'anna@example.com', at: '2026-11-24T10:00:00.000Z', version: 'v2' };
      const details = [{ path: 'review', message: 'Changed in the meantime' }];
      return HttpResponse.json({ message: 'Changed', code: 'edit_conflict', details, conflict }, { status: 409 });
    }),
  );
  const { user } = openApp(paths.interviewDetail(interviewId), { email: 'admin@example.com', role: 'admin' });
  await user.click(await screen.findByRole('button', { name: 'Change your verdict' }));
  await user.click(screen.getByRole('button', { name: 'Save verdict' }));
  expect(await screen.findByText(/anna@example.com saved changes on .*: review\./)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show theirs' }));
  expect(await screen.findByText('Wrong after all.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Save verdict' })).toBeNull();
  expect(versions).toEqual(['"v1"']);
});

it('lets a coach work through the queue with the keyboard alone', async () => {
  const groupId = 'a'.repeat(24);
  const points = (['Scope', 'Lifetime'] as const).map((text, at) => ({
    text,
    covered: false,
    state: 'missing' as const,
    evidence: '',
    weight: 50,
    credit: 0,
    ...(at === 1 ? { creditRange: { from: 0, to: 50 } } : {}),
  }));
  const recordings = [0, 1].map((questionId) => {
    const recording = interviewRecording({ correctnessPercentage: 0 });
    const assessment = { ...recording.assessment, points, version: `v${questionId}` };
    return { ...recording, _id: `${questionId}`.repeat(24), questionId, assessment };
  });
  const item = ({ _id, questionId }: { _id: string; questionId: number }) => ({
    cause: 'unsure',
    groupId,
    recordingId: _id,
    interviewId,
    questionId,
    question: `Question ${questionId}?`,
    title: 'Closures and scope',
    email: 'candidate@example.com',
    createdAt: '2026-11-21T08:00:00.000Z',
    reason: '',
    machinePercentage: 0,
    reviewPercentage: null,
    unsurePoints: 1,
  });
  const sent: [id: string, NewReview][] = [];
  server.use(
    http.get(`/api/interviews/${interviewId}`, () => HttpResponse.json(interviewDetail({ recordings }))),
    http.get('/api/groups', () =>
      HttpResponse.json({
        groups: [
          {
            id: groupId,
            name: 'Class 1',
            archivedAt: null,
            role: 'coach',
            coaches: [],
            memberCount: 2,
            createdAt: '2026-11-01T08:00:00.000Z',
          },
        ],
      }),
    ),
    http.get('/api/recordings/review-queue', () => {
      const items = recordings.filter(({ _id }) => !sent.some(([id]) => id === _id)).map(item);
      return HttpResponse.json({ items, total: items.length });
    }),
    http.put('/api/recordings/:id/review', async ({ params, request }) => {
      sent.push([String(params.id), (await request.json()) as NewReview]);
      const { assessment, correctnessPercentage } = reviewed();
      return HttpResponse.json({ isCorrect: true, correctnessPercentage, assessment });
    }),
  );
  const kept = [{ id: 'f'.repeat(24), name: 'Example', text: 'Give an example.' }];
  server.use(
    http.get('/api/review-snippets', () => HttpResponse.json({ snippets: kept })),
    http.post('/api/review-snippets', async ({ request }) => {
      kept.push({ id: 'e'.repeat(24), ...((await request.json()) as NewSnippet) });
      return HttpResponse.json({ snippets: kept }, { status: 201 });
    }),
  );
  const { user } = openApp(paths.appeals, { email: 'coach@example.com', role: 'others' });
  const start = await screen.findByRole('link', { name: 'Start reviewing' });
  start.focus();
  await user.keyboard('{Enter}');
  const first = within(await screen.findByRole('article', { name: 'Question 1' }));
  // The unsure point comes first.
  await waitFor(() => expect(first.getByRole('group', { name: 'Lifetime' })).toHaveFocus());
  await user.keyboard('2j4jk1');
  expect(first.getByRole('group', { name: 'Lifetime' })).toHaveFocus();
  await user.keyboard('j');
  expect(first.getByRole('group', { name: 'Scope' })).toHaveFocus();
  await user.keyboard('c');
  // Inside a field, the shortcut keys are plain text.
  await user.keyboard('c1j');
  expect(first.getByRole('textbox', { name: 'Comment at 0:00' })).toHaveValue('c1j');
  await user.keyboard('{Escape}');
  expect(first.getByRole('group', { name: 'Scope' })).toHaveFocus();
  // Saving without a reason asks for one.
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(first.getByRole('textbox', { name: 'Why' })).toHaveFocus();
  expect(sent).toEqual([]);
  await user.keyboard('Well said.{Escape}s');
  await user.click(await screen.findByRole('menuitem', { name: 'Example' }));
  await waitFor(() => expect(first.getByRole('textbox', { name: 'Why' })).toHaveFocus());
  await user.keyboard('{Control>}{Enter}{/Control}');
  const second = within(await screen.findByRole('article', { name: 'Question 2' }));
  await waitFor(() => expect(second.getByRole('group', { name: 'Lifetime' })).toHaveFocus());
  expect(sent).toEqual([
    [
      recordings[0]?._id,
      {
        correctnessPercentage: null,
        points: [
          { point: 0, state: 'contradicted', reason: '' },
          { point: 1, state: 'covered', reason: '' },
        ],
        reason: 'Well said. Give an example.',
        comments: [{ atMs: 0, text: 'c1j' }],
      },
    ],
  ]);
  await user.keyboard('3rNot said.');
  // Unsaved text may be kept.
  await user.click(second.getByRole('button', { name: 'Snippets' }));
  await user.click(await screen.findByRole('menuitem', { name: 'New snippet' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New snippet' }));
  expect(dialog.getByRole('textbox', { name: 'Text' })).toHaveValue('Not said.');
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Missing{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(kept[1]).toMatchObject({ name: 'Missing', text: 'Not said.' });
  await user.click(second.getByRole('button', { name: 'Save and go to the next' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Answers to review' })).toBeVisible();
  expect(await screen.findByText('No answers to review')).toBeVisible();
  expect(sent[1]?.[1]).toMatchObject({ points: [{ point: 1, state: 'missing' }], reason: 'Not said.' });
});
