import type { RosterAnswer, RosterQuestion } from '@interview-prep/contracts/history/rosters';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, signInBefore } from '../../../test/fake-api.ts';
import { assignmentOf, groupOf, groupsAt, idOf, memberOf, rosterRowOf } from '../../../test/fake-groups.ts';
import { interviewDetail } from '../../../test/history/history-fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const [groupId, assignmentId, setId] = [idOf('a'), idOf('b'), idOf('c')];
const people = ['Ada', 'Ben', 'Cy'].map((name, index) =>
  memberOf(idOf(String(index + 1)), `${name}@example.com`.toLowerCase(), name),
);
const [ada, ben, cy] = people.map(({ userId }) => userId) as [string, string, string];
const group = groupOf({ people });
const work = assignmentOf({ title: 'Week 1' });
const answerOf = (userId: string, questionId: number, changes: Partial<RosterAnswer>): RosterAnswer => ({
  userId,
  score: null,
  pending: false,
  reviewed: false,
  machineScore: null,
  durationMs: 60_000,
  // One session per member.
  sessionId: userId.replace(/./g, (digit) => String(Number(digit) + 3)),
  questionId,
  ...changes,
});
const questions: RosterQuestion[] = [
  {
    kind: 'interview',
    setId,
    question: 'What is a closure?',
    answers: [
      answerOf(cy, 0, { score: 90, machineScore: 70, reviewed: true }),
      answerOf(ada, 0, { score: 20 }),
      answerOf(ben, 0, { score: 40, durationMs: 5000 }),
    ],
    engines: ['reference point-judge 1'],
    mean: 50,
    fifths: [0, 1, 1, 0, 1],
    missed: [{ text: 'Its scope', before: '', after: '', times: 2, of: 3 }],
    lengths: { longest: cy, shortest: ben },
    listen: { best: cy, typical: ben, weakest: ada },
  },
  {
    kind: 'interview',
    setId,
    question: 'What is hoisting?',
    answers: [answerOf(ada, 1, { score: 60 }), answerOf(cy, 1, { pending: true })],
    engines: [],
    mean: 60,
    fifths: [0, 0, 0, 1, 0],
    missed: [],
    lengths: null,
    listen: null,
  },
];

const rowOf = (userId: string, latest: number, first: number) =>
  rosterRowOf({ userId, first, latest, best: latest, spokenMs: 60_000, newest: { kind: 'interview', id: idOf('4') } });

async function openHeatMap(): Promise<HTMLElement> {
  server.use(
    http.get('*/api/groups/:id', () => HttpResponse.json({ group })),
    http.get('*/api/assignments', () => HttpResponse.json({ assignments: [work] })),
    http.get('*/api/rosters/:groupId/:assignmentId/questions', () => HttpResponse.json({ questions })),
    http.get('*/api/rosters/:groupId', () =>
      HttpResponse.json({ overruled: { scored: 12, reviewed: 5, changed: 2, points: 14 } }),
    ),
    http.get('/api/events', () => new HttpResponse(null, { status: 503 })),
    http.get('*/api/interviews/:id', ({ params }) =>
      HttpResponse.json({ ...interviewDetail(), _id: params.id, title: `Interview ${params.id}` }),
    ),
  );
  signInBefore('others');
  renderApp(`/groups/${groupId}/assignments/${assignmentId}/questions`);
  return screen.findByRole('grid', { name: 'Answers of each member' });
}
const rowsOf = (grid: HTMLElement) =>
  within(grid)
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);

test('each cell shows its number and explains it; the weakest can be sorted first', async () => {
  const grid = await openHeatMap();
  expect(rowsOf(grid)).toEqual([
    'Ada40%20%60%',
    'Ben40%40%– not answered',
    'Cy90%90% reviewed by a person… in progress',
  ]);
  await userEvent.click(within(grid).getByRole('button', { name: 'Average' }));
  expect(within(grid).getByRole('columnheader', { name: 'Average' })).toHaveAttribute('aria-sort', 'ascending');
  expect(rowsOf(grid).map((row) => row?.slice(0, 2))).toEqual(['Ad', 'Be', 'Cy']);
});

test('a question shows how it was answered, and which answers to listen to', async () => {
  await openHeatMap();
  const figures = within(screen.getByRole('region', { name: 'Question 1: What is a closure?' }));
  expect(figures.getByText('3 of 3 answered · 50% on average')).toBeVisible();
  expect(figures.getAllByRole('row').map((row) => row.textContent)).toEqual([
    '0–19%0',
    '20–39%1',
    '40–59%1',
    '60–79%0',
    '80–100%1',
  ]);
  expect(figures.getByText('Missing or partial in 2 of 3 answers')).toBeVisible();
  expect(figures.getAllByRole('definition').map((each) => each.textContent)).toEqual([
    'Cy 90%',
    'Ben 40%',
    'Ada 20%',
    'Cy 1:00',
    'Ben 0:05',
  ]);
});

test('arrow keys move through the cells, Enter opens an answer, and N goes to the next answer to the same question', async () => {
  const grid = await openHeatMap();
  const user = userEvent.setup();
  const cells = [...grid.querySelectorAll<HTMLElement>('[data-at]')];
  expect(cells.filter((cell) => cell.getAttribute('tabindex') === '0')).toHaveLength(1);
  cells.find((cell) => cell.tabIndex === 0)?.focus();
  await user.keyboard('{ArrowRight}{ArrowDown}{ArrowRight}');
  expect(document.activeElement).toHaveTextContent('– not answered');
  await user.keyboard('{Home}');
  expect(document.activeElement).toHaveTextContent('Ben');
  await user.keyboard('{ArrowRight}{ArrowUp}{ArrowUp}');
  expect(document.activeElement).toHaveTextContent('20%');
  await user.keyboard('{Enter}');
  const steps = within(await screen.findByRole('complementary', { name: 'Answers to this question' }));
  expect(steps.getByRole('status')).toHaveTextContent('Ada: 1 of 3');
  expect(`${window.location.pathname}${window.location.hash}`).toBe(`/interviews/${idOf('4')}#question-1`);
  await user.keyboard('n');
  expect(await screen.findByText('Ben: 2 of 3')).toBeVisible();
  expect(window.location.pathname).toBe(`/interviews/${idOf('5')}`);
  await user.keyboard('nn');
  expect(await screen.findByText('Cy: 3 of 3')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Next (N)' })).toBeDisabled();
  await user.keyboard('{Shift>}n{/Shift}');
  expect(await screen.findByText('Ben: 2 of 3')).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'All answers' }));
  expect(await screen.findByRole('grid', { name: 'Answers of each member' })).toBeVisible();
});

test('the group report shows how often reviewers overruled the judge', async () => {
  server.use(
    http.get('*/api/rosters/:groupId/:assignmentId', () =>
      HttpResponse.json({ rows: [rowOf(ada, 40, 20), rowOf(cy, 90, 90)] }),
    ),
  );
  await openHeatMap();
  await userEvent.click(screen.getByRole('link', { name: 'Report' }));
  const members = within(await screen.findByRole('table', { name: 'Members' }));
  expect(members.getAllByRole('row').map((row) => row.textContent)).toEqual([
    expect.stringContaining('Member'),
    'AdaDoneTakes 2First 20%Best 40%Latest 40%Change +20Spoken 1 minute',
    'BenNot startedTakes 0First –Best –Latest –Change –Spoken –',
    'CyDoneTakes 2First 90%Best 90%Latest 90%Change 0Spoken 1 minute',
  ]);
  expect(
    screen
      .getAllByRole('definition')
      .slice(0, 4)
      .map((fact) => fact.textContent),
  ).toEqual(['2 of 3', '65%', '65%', '+10']);
  const scores = screen.getByRole('region', { name: 'What the scores mean' });
  expect(scores).toHaveTextContent('compared by the built-in judge with the expert’s answer');
  await waitFor(() =>
    expect(scores).toHaveTextContent(
      'people reviewed 5 of the 12 scores and changed 2 of them, by 14 points on average',
    ),
  );
});

test("the member report shows how each question changed, and the coach's feedback", async () => {
  const answer = {
    questionId: 0,
    question: 'What is a closure?',
    score: 20,
    machineScore: null,
    pending: false,
    durationMs: 65_000,
    points: [],
    delivery: null,
    engine: 'reference',
    review: null,
  };
  const session = { sessionId: idOf('4'), kind: 'interview', title: 'Closures', late: false, questionCount: 2 };
  const sessions = [
    { ...session, createdAt: groupsAt, score: 20, answers: [answer] },
    {
      ...session,
      sessionId: idOf('5'),
      createdAt: '2026-11-21T10:00:00.000Z',
      late: true,
      score: 40,
      answers: [
        {
          ...answer,
          question: '1. What is a closure',
          score: 40,
          machineScore: 25,
          points: [{ text: 'its scope', before: 'It keeps', after: '.', state: 'partial' }],
          delivery: { wordsPerMinute: 120, fillers: 1, pauses: 0 },
          review: {
            by: 'coach',
            reviewer: { userId: ben, email: 'ben@example.com' },
            createdAt: groupsAt,
            correctnessPercentage: 40,
            reason: 'Half of it is there.',
            comments: [{ atMs: 4000, text: 'Here.' }],
          },
        },
      ],
    },
  ];
  server.use(
    http.get('*/api/rosters/:groupId/:assignmentId', () => HttpResponse.json({ rows: [rowOf(ada, 40, 20)] })),
    http.get('*/api/rosters/:groupId/:assignmentId/members/:userId', ({ params }) =>
      HttpResponse.json({ sessions: params.userId === ada ? sessions : [] }),
    ),
  );
  const grid = await openHeatMap();
  await userEvent.click(within(grid).getByRole('link', { name: 'Ada' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Ada' })).toBeVisible();
  const takes = within(screen.getByRole('table', { name: 'Takes' })).getAllByRole('row');
  expect(takes.slice(1).map((row) => row.textContent?.replace(/^.*M/, ''))).toEqual([
    'Closures1 of 220%',
    ' · lateClosures1 of 240%',
  ]);
  const question = screen.getByRole('article');
  expect(question).toHaveTextContent('20% → 40%');
  expect(question).toHaveTextContent('1:05 · 120 words per minute · 1 filler · no pauses over 2 s');
  expect(question).toHaveTextContent('Partly coveredIt keeps its scope.');
  expect(question).toHaveTextContent(/Ben · .* · 40%, the judge said 25%Half of it is there\.0:04 Here\./);
});
