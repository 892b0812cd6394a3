import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import type { HeldReason } from '../session/answer-events.ts';
import {
  type AnsweringEvent,
  type AnsweringState,
  beginAt,
  heldToListen,
  holdIfSilent,
  type Resumed,
  reducerOf,
  takeTransitions,
  unlessRefused,
  withSavedAnswer,
  withSentLater,
} from '../session/answering-machine.ts';
import { firstOpen } from '../session/session-progress.ts';

/**
 * The phases that only an interview has.
 * check: before the first question · asking: a question is shown, or read aloud, with time to think; nothing starts on
 * its own while it `awaitsPerson` ·
 * stopping: waiting for the last piece · held: recorded but not sent ·
 * following-up: all answers are saved, and a follow-up question may come
 */
type OwnPhase =
  | { name: 'check' }
  | { name: 'asking'; awaitsPerson?: boolean }
  | { name: 'stopping'; listens?: boolean }
  | { name: 'following-up' }
  | { name: 'uploading'; answer: RecordedAnswer; unattended?: boolean }
  | { name: 'held'; answer: RecordedAnswer; reason: HeldReason; message: string; retryAtMs?: number };

/** The state of an interview; see `AnsweringState`. */
export interface InterviewState extends AnsweringState<OwnPhase> {
  skipped: readonly number[];
}
export type InterviewPhase = InterviewState['phase'];

export type InterviewEvent =
  | { type: 'begin' }
  /** The question has been asked, or the candidate wants to answer now. */
  | { type: 'answer' }
  /** The one button: stops and sends, or resends a held answer. */
  | { type: 'advance' }
  /** Stops and holds the answer, so that the candidate can hear it. */
  | { type: 'listen' }
  | { type: 'skip' }
  /** A question has no saved answer at completion. */
  | { type: 'answer-missing'; index: number }
  | { type: 'follow-up' }
  | { type: 'no-follow-up' }
  /** Skips a follow-up question, which is the last question. */
  | { type: 'skip-follow-up' };

export type InterviewMachineEvent = AnsweringEvent | InterviewEvent;

/** The initial state, or the one to resume with after a reload. */
export function initialInterviewState(questionCount: number, resumed?: Resumed): InterviewState {
  return { ...beginAt<OwnPhase>({ name: 'check' }, questionCount, resumed), skipped: [] };
}

const to = (state: InterviewState, phase: InterviewPhase): InterviewState => ({ ...state, phase });

const sendOrRefuse = (state: InterviewState, answer: RecordedAnswer, unattended = false): InterviewState =>
  to(state, unlessRefused<InterviewPhase>(answer, { name: 'uploading', answer, ...(unattended && { unattended }) }));

/** After all answers: waits for queued answers, then for follow-up questions, if there can be any. */
function afterLast(state: InterviewState): InterviewState {
  if (state.waiting.length > 0) return to(state, { name: 'sending-rest' });
  const mayFollowUp = state.asksFollowUps && missingAnswer(state) === null && state.saved.length > 0;
  return to(state, mayFollowUp ? { name: 'following-up' } : { name: 'completed' });
}

/** Goes to the next open question. @param awaitsPerson whether it waits for the candidate to start */
function nextQuestion(state: InterviewState, awaitsPerson = false): InterviewState {
  const done = [...state.saved, ...state.waiting, ...state.skipped.map((askedIndex) => ({ askedIndex }))];
  const next = firstOpen(state.questionCount, done, state.index + 1);
  if (next === null || next <= state.index) return afterLast(state);
  return { ...state, index: next, phase: { name: 'asking', awaitsPerson } };
}

/** The phases in which a question can be skipped. */
const skippable: ReadonlySet<InterviewPhase['name']> = new Set([
  'asking',
  'starting',
  'recording',
  'held',
  'refused',
  'micUnavailable',
]);

/**
 * An interview's state machine. A transition returns the next state, or null if the event doesn't apply.
 * Source: product specification, section 4, interview recording.
 */
export const interviewReducer = reducerOf<InterviewState, InterviewMachineEvent>({
  // From 'starting' to 'recording', device failures, and re-recording: as in a practice session.
  ...takeTransitions<InterviewState>(),
  begin: (state) => {
    if (state.phase.name !== 'check') return null;
    return missingAnswer(state) === null ? afterLast(state) : to(state, { name: 'asking' });
  },
  answer: (state) => (state.phase.name === 'asking' ? to(state, { name: 'starting' }) : null),
  advance: (state) => {
    if (state.phase.name === 'recording') return to(state, { name: 'stopping' });
    if (state.phase.name === 'held') return sendOrRefuse(state, state.phase.answer);
    return null;
  },
  listen: (state) => (state.phase.name === 'recording' ? to(state, { name: 'stopping', listens: true }) : null),
  'send-again': (state, { unattended = false }) =>
    state.phase.name === 'held' ? sendOrRefuse(state, state.phase.answer, unattended) : null,
  'send-later': (state) => {
    if (state.phase.name !== 'held') return null;
    const { answer } = state.phase;
    return nextQuestion({ ...state, waiting: [...state.waiting, { askedIndex: state.index, answer }] });
  },
  'sent-later': (state, { recording }) => {
    const sent = withSentLater(state, recording);
    return sent.phase.name === 'sending-rest' && sent.waiting.length === 0 ? afterLast(sent) : sent;
  },
  skip: (state) =>
    skippable.has(state.phase.name) ? nextQuestion({ ...state, skipped: [...state.skipped, state.index] }) : null,
  finished: (state, { answer, unexpectedEnd }) => {
    const { phase } = state;
    if (phase.name !== 'stopping' && phase.name !== 'recording') return null;
    const asked = phase.name === 'stopping' && phase.listens ? heldToListen : holdIfSilent(answer);
    const hold = phase.name === 'stopping' ? asked : unexpectedEnd;
    if (!hold) return sendOrRefuse(state, answer);
    return to(state, unlessRefused<InterviewPhase>(answer, { name: 'held', answer, ...hold }));
  },
  // An answer that an earlier visit recorded and couldn't send.
  adopt: (state, { answer }) => (state.phase.name === 'check' ? sendOrRefuse(state, answer) : null),
  uploaded: (state, { recording }) =>
    state.phase.name === 'uploading'
      ? nextQuestion({ ...state, saved: withSavedAnswer(state.saved, recording) }, state.phase.unattended)
      : null,
  'upload-failed': (state, { type: reason, ...failure }) =>
    state.phase.name === 'uploading'
      ? to(state, { name: 'held', answer: state.phase.answer, reason, ...failure })
      : null,
  'answer-missing': (state, { index }) =>
    state.phase.name === 'completed' ? { ...state, index, phase: { name: 'starting' } } : null,
  'follow-up': (state) =>
    state.phase.name === 'following-up'
      ? { ...state, questionCount: state.questionCount + 1, index: state.questionCount, phase: { name: 'asking' } }
      : null,
  'no-follow-up': (state) => (state.phase.name === 'following-up' ? to(state, { name: 'completed' }) : null),
  'skip-follow-up': (state) =>
    skippable.has(state.phase.name)
      ? { ...state, questionCount: state.index, index: state.index - 1, phase: { name: 'completed' } }
      : null,
});

/** The first question neither answered nor skipped; null if there is none. */
export function missingAnswer({
  questionCount,
  saved,
  skipped,
}: Pick<InterviewState, 'questionCount' | 'saved' | 'skipped'>): number | null {
  return firstOpen(questionCount, [...saved, ...skipped.map((askedIndex) => ({ askedIndex }))]);
}
