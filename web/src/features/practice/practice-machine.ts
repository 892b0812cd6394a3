import type { Answer } from '../../media/answer.ts';
import type { HeldReason, SavedAnswer, TakeEvent, UploadEvent } from '../../media/answer-events.ts';
import { answerFault } from '../../media/answer-fault.ts';
import type { DeviceProblem } from '../../media/device-problem.ts';

/** What follows once an answer is saved: the next question, or the end of the session. */
type Onward = 'next' | 'finish';

/**
 * Where a practice session stands within its question.
 * ready: nothing is recorded until Start Recording · starting: the recorder starts · stopping: the last piece is being written
 * held: an answer is recorded but not sent · refused: what was recorded is no answer · unheard: no microphone
 */
export type Phase =
  | { name: 'ready' }
  | { name: 'starting' }
  | { name: 'recording'; startedAtMs: number }
  | { name: 'stopping'; onward: Onward }
  | { name: 'uploading'; answer: Answer; onward: Onward }
  | { name: 'held'; answer: Answer; onward: Onward; reason: HeldReason; message: string }
  | { name: 'refused'; message: string }
  | { name: 'unheard'; problem: DeviceProblem }
  | { name: 'completed' };

export interface PracticeState {
  questionCount: number;
  /** The question being answered, from 0. */
  index: number;
  saved: readonly SavedAnswer[];
  phase: Phase;
}

export type PracticeEvent =
  /** The three buttons. Next and Finish stop and save, or send again what is held; without an answer they just go on. */
  | { type: 'start' }
  | { type: 'next' }
  | { type: 'finish' }
  /** Sends what is held, to go on as was asked before. */
  | { type: 'send-again' }
  | TakeEvent
  | UploadEvent
  /** An answer of this session that a former visit could not send. */
  | { type: 'adopt'; answer: Answer };

/** The beginning, or where a reload left off. */
export function initialPracticeState(
  questionCount: number,
  resumed?: { index: number; saved: readonly SavedAnswer[] },
): PracticeState {
  const index = Math.min(Math.max(resumed?.index ?? 0, 0), Math.max(questionCount - 1, 0));
  return { questionCount, index, saved: resumed?.saved ?? [], phase: { name: 'ready' } };
}

const to = (state: PracticeState, phase: Phase): PracticeState => ({ ...state, phase });

/** Sends an answer that is one; says why another is none. */
function sendOrRefuse(state: PracticeState, answer: Answer, onward: Onward): PracticeState {
  const fault = answerFault(answer.blob.size);
  return to(state, fault === null ? { name: 'uploading', answer, onward } : { name: 'refused', message: fault });
}

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
  if (phase.name !== 'ready' && phase.name !== 'refused' && phase.name !== 'unheard') return null;
  const gone = goOn(state, onward);
  return gone.phase.name === 'completed' && state.saved.length === 0 ? null : gone;
}

type Transitions = {
  [Type in PracticeEvent['type']]: (
    state: PracticeState,
    event: Extract<PracticeEvent, { type: Type }>,
  ) => PracticeState | null;
};

/** What each event does where it is meant; null where it is not: a second click, a late answer of the browser. */
const transitions: Transitions = {
  start: (state) =>
    ['ready', 'refused', 'unheard'].includes(state.phase.name) ? to(state, { name: 'starting' }) : null,
  next: (state) => leaveQuestion(state, 'next'),
  finish: (state) => leaveQuestion(state, 'finish'),
  'send-again': (state) =>
    state.phase.name === 'held' ? sendOrRefuse(state, state.phase.answer, state.phase.onward) : null,
  started: (state, { atMs }) =>
    state.phase.name === 'starting' ? to(state, { name: 'recording', startedAtMs: atMs }) : null,
  'microphone-failed': (state, { problem }) =>
    state.phase.name === 'starting' ? to(state, { name: 'unheard', problem }) : null,
  finished: (state, { answer, unasked }) => {
    const { phase } = state;
    if (phase.name === 'stopping') return sendOrRefuse(state, answer, phase.onward);
    if (phase.name !== 'recording') return null;
    const fault = answerFault(answer.blob.size);
    return to(
      state,
      fault === null ? { name: 'held', answer, onward: 'next', ...unasked } : { name: 'refused', message: fault },
    );
  },
  'recording-failed': (state, { message }) =>
    ['starting', 'recording', 'stopping'].includes(state.phase.name) ? to(state, { name: 'refused', message }) : null,
  'record-again': (state) =>
    ['recording', 'held', 'refused', 'unheard'].includes(state.phase.name) ? to(state, { name: 'starting' }) : null,
  adopt: (state, { answer }) => (state.phase.name === 'ready' ? sendOrRefuse(state, answer, 'next') : null),
  uploaded: (state, { recording }) => {
    const { phase } = state;
    if (phase.name !== 'uploading') return null;
    const saved = [...state.saved.filter(({ questionId }) => questionId !== recording.questionId), recording];
    return goOn({ ...state, saved }, phase.onward);
  },
  'upload-failed': (state, { message }) => {
    const { phase } = state;
    if (phase.name !== 'uploading') return null;
    return to(state, { ...phase, name: 'held', reason: 'upload-failed', message });
  },
};

/** The practice session's state machine. Source: product specification, section 4, practice session. */
export function practiceReducer(state: PracticeState, event: PracticeEvent): PracticeState {
  const transition = transitions[event.type] as (state: PracticeState, event: PracticeEvent) => PracticeState | null;
  return transition(state, event) ?? state;
}

/** Whether a button would do something. */
export const canDo = (state: PracticeState, type: 'start' | Onward): boolean =>
  practiceReducer(state, { type }) !== state;
