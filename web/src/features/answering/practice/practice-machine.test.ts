import { limits } from '@interview-prep/contracts/api/limits';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerOf, finished, lost, spoken, uploaded } from '../../../test/answers.ts';
import {
  canDo,
  initialPracticeState,
  type PracticeEvent,
  type PracticePhase,
  type PracticeState,
  practiceReducer,
} from './practice-machine.ts';

const start: PracticeEvent = { type: 'start' };
const next: PracticeEvent = { type: 'next' };
const finish: PracticeEvent = { type: 'finish' };
const started: PracticeEvent = { type: 'started', atMs: 1000 };
const uploadFailed: PracticeEvent = { type: 'upload-failed', message: 'Failed to upload practice recording' };

const run = (state: PracticeState, ...events: PracticeEvent[]): PracticeState => events.reduce(practiceReducer, state);
const recording = (questionCount = 3): PracticeState => run(initialPracticeState(questionCount), start, started);

test('the first question waits for Start Recording, the others record automatically; Next on the last one finishes', () => {
  const names: string[] = [];
  let state = initialPracticeState(2);
  expect(state.phase.name).toBe('ready');
  const events = [start, started, next, finished(), uploaded(0), started, next, finished(), uploaded(1)];
  for (const event of events) {
    state = practiceReducer(state, event);
    names.push(`${state.index} ${state.phase.name}`);
  }
  expect(names).toEqual([
    '0 starting',
    '0 recording',
    '0 stopping',
    '0 uploading',
    '1 starting',
    '1 recording',
    '1 stopping',
    '1 uploading',
    '1 completed',
  ]);
  expect(state.saved.map(({ askedIndex }) => askedIndex)).toEqual([0, 1]);
});

test('Finish saves the current recording and ends the session at any question', () => {
  const state = run(recording(), finish, finished(), uploaded(0));
  expect(state).toMatchObject({ index: 0, phase: { name: 'completed' }, saved: [{ askedIndex: 0 }] });
});

test('a failed upload keeps the answer; Next or Finish sends it again', () => {
  const held = run(recording(), next, finished(), uploadFailed);
  expect(held.phase).toEqual({
    name: 'held',
    answer: spoken,
    onward: 'next',
    reason: 'upload-failed',
    message: 'Failed to upload practice recording',
  });
  expect(run(held, next).phase).toEqual({ name: 'uploading', answer: spoken, onward: 'next' });
  expect(run(held, finish, uploaded(0)).phase.name).toBe('completed');
  expect(run(held, next, uploaded(0))).toMatchObject({ index: 1, phase: { name: 'starting' } });
  expect(run(held, { type: 'record-again' }, started).phase.name).toBe('recording');
  const sendAgain: PracticeEvent = { type: 'send-again' };
  expect(run(held, sendAgain, uploaded(0))).toMatchObject({ index: 1, phase: { name: 'starting' } });
  const heldAtFinish = run(recording(), finish, finished(), uploadFailed);
  expect(run(heldAtFinish, sendAgain, uploaded(0)).phase.name).toBe('completed');
});

test('an answer whose recording stopped without a click waits for the candidate', () => {
  const state = run(recording(), finished());
  expect(state.phase).toEqual({ name: 'held', answer: spoken, onward: 'next', ...lost });
});

test.each([
  [limits.recordingMinBytes - 1, 'Recording too short or empty'],
  [limits.recordingMaxBytes + 1, 'Recording is too large. Please record a shorter answer.'],
])('%i bytes are rejected: %s', (sizeBytes, message) => {
  const refused = run(recording(), next, finished(answerOf(sizeBytes)));
  expect(refused.phase).toEqual({ name: 'refused', message });
  expect(run(refused, start, started).phase.name).toBe('recording');
});

test.each([limits.recordingMinBytes, limits.recordingMaxBytes])('%i bytes are sent', (sizeBytes) => {
  expect(run(recording(), next, finished(answerOf(sizeBytes))).phase.name).toBe('uploading');
});

test('a question can be skipped once its recording failed; a session without any answer cannot be finished', () => {
  const failed = run(recording(2), { type: 'recording-failed', message: 'Failed to start recording' });
  expect(run(failed, next)).toMatchObject({ index: 1, phase: { name: 'starting' } });
  expect(run(failed, finish)).toBe(failed);
  const second = run(recording(2), next, finished(), uploaded(0), { type: 'microphone-failed', problem: 'lost' });
  expect(second.phase).toEqual({ name: 'micUnavailable', problem: 'lost' });
  expect(run(second, finish).phase.name).toBe('completed');
  expect(run(second, next).phase.name).toBe('completed');
  expect(run(second, { type: 'record-again' }).phase.name).toBe('starting');
});

test('a reload returns to its question and waits for Start Recording; saved answers can be finished', () => {
  const state = initialPracticeState(3, { index: 1, saved: [{ _id: 'a', askedIndex: 0 }] });
  expect(state).toMatchObject({ index: 1, phase: { name: 'ready' } });
  expect(run(state, finish).phase.name).toBe('completed');
  expect(run(state, next)).toBe(state);
  expect(run(state, { type: 'adopt', answer: spoken }, uploaded(1))).toMatchObject({
    index: 2,
    phase: { name: 'starting' },
  });
});

test.each([
  [-1, 0],
  [99, 2],
])('a set that changed in the meantime keeps the question in range: %i → %i', (index, kept) => {
  expect(initialPracticeState(3, { index, saved: [] }).index).toBe(kept);
});

test('each button works only in its phases', () => {
  const enabled = (state: PracticeState) => (['start', 'next', 'finish'] as const).filter((type) => canDo(state, type));
  expect(enabled(initialPracticeState(3))).toEqual(['start']);
  expect(enabled(run(initialPracticeState(3), start))).toEqual([]);
  expect(enabled(recording())).toEqual(['next', 'finish']);
  expect(enabled(run(recording(), next))).toEqual([]);
  expect(enabled(run(recording(), next, finished()))).toEqual([]);
  expect(enabled(run(recording(), next, finished(), uploadFailed))).toEqual(['next', 'finish']);
  expect(enabled(run(recording(), next, finished(answerOf(1))))).toEqual(['start', 'next']);
});

test('a second click, and a late browser event, change nothing', () => {
  const stopping = run(recording(), next);
  expect(run(stopping, next, finish, start, started)).toBe(stopping);
  const completed: PracticeState = { ...recording(1), phase: { name: 'completed' } };
  for (const event of [start, next, finish, started, finished(), uploaded(0), uploadFailed]) {
    expect(run(completed, event)).toBe(completed);
  }
});

const events = fc.constantFrom<PracticeEvent>(
  start,
  next,
  finish,
  started,
  finished(),
  finished(answerOf(3)),
  uploadFailed,
  { type: 'send-again' },
  { type: 'recording-failed', message: 'x' },
  { type: 'record-again' },
  { type: 'microphone-failed', problem: 'denied' },
);

test('for any order of events the question stays in range, none is saved twice, and completed is final', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(events, { maxLength: 60 }), (questionCount, happened) => {
      let state = initialPracticeState(questionCount);
      let last: PracticePhase['name'] = state.phase.name;
      for (const event of happened) {
        state = practiceReducer(state, event);
        if (state.phase.name === 'uploading') state = practiceReducer(state, uploaded(state.index));
        expect(state.index).toBeLessThan(questionCount);
        expect(new Set(state.saved.map(({ askedIndex }) => askedIndex)).size).toBe(state.saved.length);
        if (last === 'completed') expect(state.phase.name).toBe('completed');
        if (state.phase.name === 'completed') expect(state.saved.length).toBeGreaterThan(0);
        last = state.phase.name;
      }
    }),
  );
});
