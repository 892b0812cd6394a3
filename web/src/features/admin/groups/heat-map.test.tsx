import type { GroupDetail } from '@interview-prep/contracts/auth/groups';
import type { RosterAnswer, RosterQuestion } from '@interview-prep/contracts/history/rosters';
import type { Assignment } from '@interview-prep/contracts/recording/assignments';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { server, signInBefore } from '../../../test/fake-api.ts';
import { interviewDetail } from '../../../test/history/history-fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const at = '2026-11-20T10:00:00.000Z';
const idOf = (digit: string) => digit.repeat(24);
const [groupId, assignmentId, setId] = [idOf('a'), idOf('b'), idOf('c')];
const people = ['Ada', 'Ben', 'Cy'].map((name, index) => ({
  userId: idOf(String(index + 1)),
  email: `${name}@example.com`.toLowerCase(),
  name,
  role: 'member' as const,
  joinedAt: at,
}));
const [ada, ben, cy] = people.map(({ userId }) => userId) as [string, string, string];
const group: GroupDetail = {
  id: groupId,
  name: 'Class of 2027',
  archivedAt: null,
  role: 'coach',
  coaches: [],
  memberCount: 3,
  createdAt: at,
  people,
  invitations: [],
  joinCode: null,
};
const work = {
  id: assignmentId,
  groupId,
  title: 'Week 1',
  dueAt: null,
  sets: [{ kind: 'interview', setId, title: 'Closures', questionCount: 2 }],
  memberIds: null,
} as Partial<Assignment>;
const answerOf = (userId: string, questionId: number, changes: Partial<RosterAnswer>): RosterAnswer => ({
  userId,
  score: null,
  pending: false,
  reviewed: false,
  durationMs: 60_000,
  // A session of each member.
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
      answerOf(cy, 0, { score: 90, reviewed: true }),
      answerOf(ada, 0, { score: 20 }),
      answerOf(ben, 0, { score: 40, durationMs: 5000 }),
    ],
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
    mean: 60,
    fifths: [0, 0, 0, 1, 0],
    missed: [],
    lengths: null,
    listen: null,
  },
];

async function openHeatMap(): Promise<HTMLElement> {
  server.use(
    http.get('*/api/groups/:id', () => HttpResponse.json({ group })),
    http.get('*/api/assignments', () => HttpResponse.json({ assignments: [work] })),
    http.get('*/api/rosters/:groupId/:assignmentId/questions', () => HttpResponse.json({ questions })),
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

test('each cell says its number, and what that is; the weakest can come first', async () => {
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

test('a question says how it was answered, and which answers to listen to', async () => {
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

test('arrows move through the cells, Enter opens an answer, and N leads to the next to the same question', async () => {
  const grid = await openHeatMap();
  const user = userEvent.setup();
  const cells = [...grid.querySelectorAll<HTMLElement>('[data-at]')];
  expect(cells.filter((cell) => cell.getAttribute('tabindex') === '0')).toHaveLength(1);
  cells[0]?.focus();
  await user.keyboard('{ArrowRight}{ArrowDown}{ArrowRight}');
  expect(document.activeElement).toHaveTextContent('– not answered');
  await user.keyboard('{Home}{ArrowUp}{ArrowUp}');
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
  await user.keyboard('p');
  expect(await screen.findByText('Ben: 2 of 3')).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'All answers' }));
  expect(await screen.findByRole('grid', { name: 'Answers of each member' })).toBeVisible();
});
