import { expect, test } from 'vitest';
import { answerOf, finished, lost, spoken, uploaded } from '../../../test/answers.ts';
import {
  type InterviewMachineEvent,
  type InterviewPhase,
  type InterviewState,
  initialInterviewState,
  interviewReducer,
  missingAnswer,
} from './interview-machine.ts';

const run = (state: InterviewState, ...events: InterviewMachineEvent[]): InterviewState =>
  events.reduce(interviewReducer, state);
const recording = (questionCount = 2): InterviewState =>
  run(initialInterviewState(questionCount), { type: 'begin' }, { type: 'answer' }, { type: 'started', atMs: 1000 });

test('an interview of two questions goes from the microphone check to completed', () => {
  const names: string[] = [];
  let state = initialInterviewState(2);
  const events: InterviewMachineEvent[] = [
    { type: 'begin' },
    { type: 'answer' },
    { type: 'started', atMs: 1 },
    { type: 'advance' },
    finished(),
    uploaded(0),
    { type: 'answer' },
    { type: 'started', atMs: 2 },
    { type: 'advance' },
    finished(),
    uploaded(1),
  ];
  for (const event of events) {
    state = interviewReducer(state, event);
    names.push(`${state.index} ${state.phase.name}`);
  }
  expect(names).toEqual([
    '0 asking',
    '0 starting',
    '0 recording',
    '0 stopping',
    '0 uploading',
    '1 asking',
    '1 starting',
    '1 recording',
    '1 stopping',
    '1 uploading',
    '1 completed',
  ]);
  expect(state.saved.map(({ askedIndex }) => askedIndex)).toEqual([0, 1]);
});

test('a second click changes nothing', () => {
  const stopping = run(recording(), { type: 'advance' });
  expect(run(stopping, { type: 'advance' })).toBe(stopping);
  const uploading = run(stopping, finished());
  expect(run(uploading, { type: 'advance' }, { type: 'begin' }, { type: 'record-again' })).toBe(uploading);
});

test('a failed upload keeps the answer on its question, and sends the same answer again', () => {
  const held = run(recording(), { type: 'advance' }, finished(), { type: 'upload-failed', message: 'away' });
  expect(held).toMatchObject({
    index: 0,
    saved: [],
    phase: { name: 'held', reason: 'upload-failed', message: 'away' },
  });
  expect(run(held, { type: 'advance' }).phase).toEqual({ name: 'uploading', answer: spoken });
});

test('an answer can be recorded again instead', () => {
  const held = run(recording(), { type: 'advance' }, finished(), { type: 'upload-failed', message: 'away' });
  expect(run(held, { type: 'record-again' })).toMatchObject({ index: 0, phase: { name: 'starting' } });
});

test.each([
  [999, 'Recording too short or empty'],
  [10 * 1024 * 1024 + 1, 'Recording is too large. Please record a shorter answer.'],
])('an answer of %i bytes is rejected, and not sent', (sizeBytes, message) => {
  expect(run(recording(), { type: 'advance' }, finished(answerOf(sizeBytes))).phase).toEqual({
    name: 'refused',
    message,
  });
});

test.each([1000, 10 * 1024 * 1024])('an answer of %i bytes is sent', (sizeBytes) => {
  expect(run(recording(), { type: 'advance' }, finished(answerOf(sizeBytes))).phase.name).toBe('uploading');
});

test('an answer whose recording stopped without a click waits for the candidate', () => {
  expect(run(recording(), finished()).phase).toEqual({ name: 'held', answer: spoken, ...lost });
  expect(run(recording(), finished(answerOf(10))).phase.name).toBe('refused');
});

test('an answer of five seconds or more without sound waits for the candidate, and is sent if they choose so', () => {
  const silent = { ...spoken, durationMs: 14_000, silent: true };
  const held = run(recording(), { type: 'advance' }, finished(silent));
  expect(held.phase).toMatchObject({ name: 'held', reason: 'silent', message: 'We heard nothing in this answer.' });
  expect(run(held, { type: 'advance' }).phase.name).toBe('uploading');
  const short = { ...silent, durationMs: 2000 };
  expect(run(recording(), { type: 'advance' }, finished(short)).phase.name).toBe('uploading');
  expect(run(recording(), { type: 'advance' }, finished({ ...silent, silent: false })).phase.name).toBe('uploading');
});

test('a microphone failure shows help, and the interview can continue from there', () => {
  const micUnavailable = run(
    initialInterviewState(1),
    { type: 'begin' },
    { type: 'answer' },
    { type: 'microphone-failed', problem: 'denied' },
  );
  expect(micUnavailable.phase).toEqual({ name: 'micUnavailable', problem: 'denied' });
  expect(run(micUnavailable, { type: 'record-again' }).phase.name).toBe('starting');
});

test('an answer from an earlier visit is sent from the microphone check', () => {
  const resumed = initialInterviewState(3, { index: 1, saved: [{ _id: 'a', askedIndex: 0 }] });
  const state = run(resumed, { type: 'adopt', answer: spoken }, uploaded(1));
  expect(state).toMatchObject({ index: 2, phase: { name: 'asking' } });
  expect(state.saved).toHaveLength(2);
});

test('answering a question twice keeps the newer recording', () => {
  const resumed = initialInterviewState(2, { index: 0, saved: [{ _id: 'old', askedIndex: 0 }] });
  expect(run(resumed, { type: 'adopt', answer: spoken }, uploaded(0)).saved).toEqual([
    { _id: 'recording-0', askedIndex: 0 },
  ]);
});

test('a stored position outside the set is moved into its range', () => {
  expect(initialInterviewState(2, { index: 9, saved: [] }).index).toBe(1);
  expect(initialInterviewState(2, { index: -1, saved: [] }).index).toBe(0);
});

test('completing with an unanswered question returns to it', () => {
  const resumed = initialInterviewState(2, { index: 1, saved: [] });
  const completed = run(resumed, { type: 'adopt', answer: spoken }, uploaded(1));
  expect(completed.phase.name).toBe('completed');
  expect(missingAnswer(completed)).toBe(0);
  expect(run(completed, { type: 'answer-missing', index: 0 })).toMatchObject({ index: 0, phase: { name: 'starting' } });
  expect(missingAnswer({ questionCount: 1, saved: [{ _id: 'a', askedIndex: 0 }], skipped: [] })).toBeNull();
});

test('after the last answer, follow-up questions are asked while there are any', () => {
  const resumed = { index: 1, saved: [{ _id: 'a', askedIndex: 0 }], asksFollowUps: true };
  const waiting = run(initialInterviewState(2, resumed), { type: 'adopt', answer: spoken }, uploaded(1));
  expect(waiting).toMatchObject({ questionCount: 2, phase: { name: 'following-up' } });
  expect(run(waiting, { type: 'no-follow-up' }).phase.name).toBe('completed');
  const asked = run(waiting, { type: 'follow-up' });
  expect(asked).toMatchObject({ questionCount: 3, index: 2, phase: { name: 'asking' } });
  const begun = run(asked, { type: 'answer' }, { type: 'started', atMs: 1 });
  const saved = run(begun, { type: 'advance' }, finished(), uploaded(2));
  expect(saved.phase.name).toBe('following-up');
  // A skipped question doesn't count as unanswered.
  const skipped = run(asked, { type: 'skip-follow-up' });
  expect(skipped).toMatchObject({ questionCount: 2, phase: { name: 'completed' } });
  expect(missingAnswer(skipped)).toBeNull();
  // A reload in the meantime waits again, and asks no question twice.
  const { index, saved: answers } = waiting;
  const reloaded = initialInterviewState(2, { index, saved: answers, asksFollowUps: true });
  expect(run(reloaded, { type: 'begin' }).phase.name).toBe('following-up');
});

test('events that do not apply to a phase are ignored', () => {
  const phases: InterviewPhase[] = [
    { name: 'check' },
    { name: 'asking' },
    { name: 'starting' },
    { name: 'uploading', answer: spoken },
    { name: 'refused', message: 'x' },
    { name: 'completed' },
  ];
  for (const phase of phases) {
    const state = { ...initialInterviewState(2), phase };
    expect(interviewReducer(state, { type: 'advance' })).toBe(state);
    expect(interviewReducer(state, finished())).toBe(state);
  }
});
