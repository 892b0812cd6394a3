import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import type { HeldReason } from '../session/answer-events.ts';
import {
  type AnsweringEvent,
  type AnsweringState,
  beginAt,
  joined,
  type Resumed,
  reducerOf,
  takeTransitions,
  unlessRefused,
} from '../session/answering-machine.ts';

/** What follows once an answer is saved: the next question, or the end of the session. */
type Onward = 'next' | 'finish';

/**
 * Where a practice session stands within its question, beside the common phases.
 * ready: nothing is recorded until Start Recording · stopping: the last piece is being written
 * held: an answer is recorded but not sent
 */
type OwnPhase =
  | { name: 'ready' }
  | { name: 'stopping'; onward: Onward }
  | { name: 'uploading'; answer: RecordedAnswer; onward: Onward }
  | { name: 'held'; answer: RecordedAnswer; onward: Onward; reason: HeldReason; message: string };

export type PracticeState = AnsweringState<OwnPhase>;
export type PracticePhase = PracticeState['phase'];

/** What only a practice session knows. */
export type PracticeButton =
  /** The three buttons. Next and Finish stop and save, or send again what is held; without an answer they just go on. */
  | { type: 'start' }
  | { type: 'next' }
  | { type: 'finish' }
  /** Sends what is held, to go on as was asked before. */
  | { type: 'send-again' };

export type PracticeEvent = AnsweringEvent | PracticeButton;

/** The beginning, or where a reload left off. */
export const initialPracticeState = (questionCount: number, resumed?: Resumed): PracticeState =>
  beginAt({ name: 'ready' }, questionCount, resumed);

const to = (state: PracticeState, phase: PracticePhase): PracticeState => ({ ...state, phase });

/** Sends an answer that is one; says why another is none. */
const sendOrRefuse = (state: PracticeState, answer: RecordedAnswer, onward: Onward): PracticeState =>
  to(state, unlessRefused<PracticePhase>(answer, { name: 'uploading', answer, onward }));

/** From question 2 on recording starts by itself. */
function goOn(state: PracticeState, onward: Onward): PracticeState {
  const last = state.index >= state.questionCount - 1;
  if (onward === 'finish' || last) return to(state, { name: 'completed' });
  return { ...state, index: state.index + 1, phase: { name: 'starting' } };
}

/** Next and Finish. A session in which nothing was saved has nothing to finish. */
function leaveQuestion(state: PracticeState, onward: Onward): PracticeState | null {
  const { phase } = state;
  if (phase.name === 'recording') return to(state, { name: 'stopping', onward });
  if (phase.name === 'held') return sendOrRefuse(state, phase.answer, onward);
  if (phase.name === 'ready' && onward === 'next') return null;
  if (phase.name !== 'ready' && phase.name !== 'refused' && phase.name !== 'micUnavailable') return null;
  const gone = goOn(state, onward);
  return gone.phase.name === 'completed' && state.saved.length === 0 ? null : gone;
}

/** The practice session's state machine. Source: product specification, section 4, practice session. */
export const practiceReducer = reducerOf<PracticeState, PracticeEvent>({
  ...takeTransitions<OwnPhase>(),
  start: (state) =>
    ['ready', 'refused', 'micUnavailable'].includes(state.phase.name) ? to(state, { name: 'starting' }) : null,
  next: (state) => leaveQuestion(state, 'next'),
  finish: (state) => leaveQuestion(state, 'finish'),
  'send-again': (state) =>
    state.phase.name === 'held' ? sendOrRefuse(state, state.phase.answer, state.phase.onward) : null,
  finished: (state, { answer, unasked }) => {
    const { phase } = state;
    if (phase.name === 'stopping') return sendOrRefuse(state, answer, phase.onward);
    if (phase.name !== 'recording') return null;
    return to(state, unlessRefused<PracticePhase>(answer, { name: 'held', answer, onward: 'next', ...unasked }));
  },
  adopt: (state, { answer }) => (state.phase.name === 'ready' ? sendOrRefuse(state, answer, 'next') : null),
  uploaded: (state, { recording }) => {
    const { phase } = state;
    if (phase.name !== 'uploading') return null;
    return goOn({ ...state, saved: joined(state.saved, recording) }, phase.onward);
  },
  'upload-failed': (state, { message }) => {
    const { phase } = state;
    if (phase.name !== 'uploading') return null;
    return to(state, { ...phase, name: 'held', reason: 'upload-failed', message });
  },
});

/** Whether a button would do something. */
export const canDo = (state: PracticeState, type: 'start' | Onward): boolean =>
  practiceReducer(state, { type }) !== state;
