import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import type { HeldReason, SavedAnswer } from '../session/answer-events.ts';
import {
  type AnsweringEvent,
  type AnsweringState,
  beginAt,
  holdIfSilent,
  type Resumed,
  reducerOf,
  takeTransitions,
  unlessRefused,
  withSavedAnswer,
} from '../session/answering-machine.ts';
import { firstOpen } from '../session/session-progress.ts';

/**
 * The phases that only an interview has.
 * check: before the first question · asking: a question is read, or read aloud, and thought about ·
 * stopping: waits for the last piece · held: recorded but not sent ·
 * following-up: all answers are saved, and a follow-up question may come
 */
type OwnPhase =
  | { name: 'check' }
  | { name: 'asking' }
  | { name: 'stopping' }
  | { name: 'following-up' }
  | { name: 'uploading'; answer: RecordedAnswer }
  | { name: 'held'; answer: RecordedAnswer; reason: HeldReason; message: string; retryAtMs?: number };

/** The state of an interview; see `AnsweringState`. */
export type InterviewState = AnsweringState<OwnPhase>;
export type InterviewPhase = InterviewState['phase'];

/** The events of an interview only. */
export type InterviewEvent =
  | { type: 'begin' }
  /** The question was asked, or the candidate wants to answer now. */
  | { type: 'answer' }
  /** The one button: stops and sends, or sends a held answer again. */
  | { type: 'advance' }
  /** A question has no saved answer at completion. */
  | { type: 'answer-missing'; index: number }
  /** There is a follow-up question: it is the last one now. */
  | { type: 'follow-up' }
  /** No follow-up question comes. */
  | { type: 'no-follow-up' }
  /** The candidate leaves a follow-up question, which is the last one, without an answer. */
  | { type: 'skip-follow-up' };

export type InterviewMachineEvent = AnsweringEvent | InterviewEvent;

/** The initial state, or where a reload continues. */
export function initialInterviewState(questionCount: number, resumed?: Resumed): InterviewState {
  return beginAt({ name: 'check' }, questionCount, resumed);
}

const to = (state: InterviewState, phase: InterviewPhase): InterviewState => ({ ...state, phase });

/** Sends the answer, or refuses it with the reason. */
const sendOrRefuse = (state: InterviewState, answer: RecordedAnswer): InterviewState =>
  to(state, unlessRefused<InterviewPhase>(answer, { name: 'uploading', answer }));

/** After all answers: follow-up questions, where there may be some. */
const afterLast = (state: InterviewState): InterviewState =>
  to(state, state.asksFollowUps && missingAnswer(state) === null ? { name: 'following-up' } : { name: 'completed' });

function withSaved(state: InterviewState, recording: SavedAnswer): InterviewState {
  const saved = withSavedAnswer(state.saved, recording);
  const next = firstOpen(state.questionCount, saved, state.index + 1);
  return next === null || next <= state.index
    ? afterLast({ ...state, saved })
    : { ...state, saved, index: next, phase: { name: 'asking' } };
}

/** The phases in which a follow-up question can be left out. */
const skippable: ReadonlySet<InterviewPhase['name']> = new Set([
  'asking',
  'starting',
  'recording',
  'held',
  'refused',
  'micUnavailable',
]);

/**
 * An interview's state machine. A transition gives the next state, or null where the event does not apply.
 * Source: product specification, section 4, interview recording.
 */
export const interviewReducer = reducerOf<InterviewState, InterviewMachineEvent>({
  // 'starting' to 'recording', failures of the microphone and the recorder, and recording again: as in a practice session.
  ...takeTransitions<OwnPhase>(),
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
  finished: (state, { answer, unexpectedEnd }) => {
    const { name } = state.phase;
    if (name !== 'stopping' && name !== 'recording') return null;
    const hold = name === 'stopping' ? holdIfSilent(answer) : unexpectedEnd;
    if (!hold) return sendOrRefuse(state, answer);
    return to(state, unlessRefused<InterviewPhase>(answer, { name: 'held', answer, ...hold }));
  },
  // An answer that an earlier visit recorded and could not send.
  adopt: (state, { answer }) => (state.phase.name === 'check' ? sendOrRefuse(state, answer) : null),
  uploaded: (state, { recording }) => (state.phase.name === 'uploading' ? withSaved(state, recording) : null),
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

/** The first question without a saved answer; null if there is none. */
export function missingAnswer({
  questionCount,
  saved,
}: Pick<InterviewState, 'questionCount' | 'saved'>): number | null {
  return firstOpen(questionCount, saved);
}
