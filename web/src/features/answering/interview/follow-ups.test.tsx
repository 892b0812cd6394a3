import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { quickSetOf, server } from '../../../test/fake-api.ts';
import { fakeDevices } from '../../../test/fake-devices.ts';
import { interviewId } from '../../../test/history/history-fixtures.ts';
import { prepareRecording } from '../../../test/prepare-recording.ts';
import { renderApp } from '../../../test/render-app.tsx';

const set = quickSetOf(1, { asksFollowUps: true, questions: ['What is a hook?'] });
const followUp = { questionId: 1, parentQuestionId: 0, question: 'You have not mentioned “state” yet. Why?' };

const held = prepareRecording();
beforeEach(() => {
  fakeDevices();
  server.use(http.get('*/api/interviews/sets', () => HttpResponse.json({ interviewSets: [set] })));
});

/** The server's responses to requests for follow-up questions, in order; the last one repeats. */
function serveFollowUps(...answers: { followUps: (typeof followUp)[]; pending: boolean }[]) {
  const asked: string[] = [];
  server.use(
    http.get('*/api/sessions/:id/follow-ups', ({ params }) => {
      asked.push(String(params.id));
      return HttpResponse.json(answers[Math.min(asked.length, answers.length) - 1]);
    }),
  );
  return asked;
}
const button = (name: string) => screen.findByRole('button', { name });
const saved = (questionId: number) =>
  HttpResponse.json({ recording: { _id: `r${questionId}`, questionId, interviewId } }, { status: 201 });

/** Takes the interview up to the last question's answer. */
async function answerAll() {
  renderApp(`/interview/${set._id}`);
  await userEvent.click(await button('Start now'));
  await screen.findByText('Recording in progress...');
  await userEvent.click(await button('Complete Interview'));
  (await held.latest(1)).answer(saved(0));
}
const over = () => screen.findByRole('heading', { name: 'Interview History' });

test('a follow-up question is asked after the last one, with its own number', async () => {
  const asked = serveFollowUps({ followUps: [], pending: true }, { followUps: [followUp], pending: false });
  await answerAll();
  expect(await screen.findByRole('heading', { name: 'Looking for a follow-up question' })).toBeVisible();
  expect(await screen.findByRole('heading', { name: followUp.question })).toBeVisible();
  expect(screen.getByText('Follow-up to question 1')).toBeVisible();
  expect(screen.getByText('What is a hook?')).toBeVisible();
  expect(asked).toEqual([interviewId, interviewId]);

  await screen.findByText('Recording in progress...');
  serveFollowUps({ followUps: [], pending: false });
  await userEvent.click(await button('Complete Interview'));
  const { target, answer } = await held.latest(2);
  expect(target.questionId).toBe(1);
  expect(target.askedQuestions).toBeUndefined();
  answer(saved(1));
  await over();
  expect(screen.getByText('Interview completed successfully')).toBeVisible();
});

test('the interview ends immediately if there will be none', async () => {
  const asked = serveFollowUps({ followUps: [], pending: false });
  await answerAll();
  await over();
  expect(asked).toHaveLength(1);
});

test('the interview ends without one after six seconds, even if the server does not respond', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  let isAsked = false;
  server.use(
    http.get('*/api/sessions/:id/follow-ups', () => {
      isAsked = true;
      return new Promise<Response>(() => {});
    }),
  );
  await answerAll();
  await screen.findByRole('heading', { name: 'Looking for a follow-up question' });
  await waitFor(() => expect(isAsked).toBe(true));
  await act(() => vi.advanceTimersByTimeAsync(6000));
  await over();
});

test('a candidate can finish without answering it', async () => {
  serveFollowUps({ followUps: [followUp], pending: false });
  await answerAll();
  await screen.findByRole('heading', { name: followUp.question });
  await screen.findByText('Recording in progress...');
  await userEvent.click(await button('Finish without this answer'));
  await userEvent.click(await button('Skip this question'));
  await over();
  expect(held.uploads).toHaveLength(1);
});
