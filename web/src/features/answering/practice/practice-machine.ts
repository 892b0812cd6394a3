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

/** What follows a saved answer. */
type Onward = 'next' | 'finish';

/**
 * The phases that only a practice session has.
 * ready: waits for Start Recording · stopping: waiting for the last piece · held: recorded but not sent
 */
type OwnPhase =
  | { name: 'ready' }
  | { name: 'stopping'; onward: Onward; listens?: boolean }
  | { name: 'uploading'; answer: RecordedAnswer; onward: Onward; unattended?: boolean }
  | { name: 'held'; answer: RecordedAnswer; onward: Onward; reason: HeldReason; message: string; retryAtMs?: number };

export type PracticeState = AnsweringState<OwnPhase>;
export type PracticePhase = PracticeState['phase'];

export type PracticeButton =
  /** The three buttons. Next and Finish save the answer, or resend a held one; without an answer they move on. */
  | { type: 'start' }
  | { type: 'next' }
  | { type: 'finish' }
  /** Stops and holds the answer, so that the candidate can hear it. */
  | { type: 'listen' };

export type PracticeEvent = AnsweringEvent | PracticeButton;

/** The initial state, or the one to resume with after a reload. */
export function initialPracticeState(questionCount: number, resumed?: Resumed): PracticeState {
  return beginAt({ name: 'ready' }, questionCount, resumed);
}

const to = (state: PracticeState, phase: PracticePhase): PracticeState => ({ ...state, phase });

function sendOrRefuse(state: PracticeState, answer: RecordedAnswer, onward: Onward, unattended = false): PracticeState {
  return to(
    state,
    unlessRefused<PracticePhase>(answer, { name: 'uploading', answer, onward, ...(unattended && { unattended }) }),
  );
}

/** From question 2 on, recording starts on its own, unless an answer was sent `unattended`. */
function moveOn(state: PracticeState, onward: Onward, unattended = false): PracticeState {
  const last = state.index >= state.questionCount - 1;
  if (onward === 'finish' || last) return to(state, { name: state.waiting.length > 0 ? 'sending-rest' : 'completed' });
  return { ...state, index: state.index + 1, phase: { name: unattended ? 'ready' : 'starting' } };
}

/** Next and Finish. A session without saved answers can't be finished. */
function leaveQuestion(state: PracticeState, onward: Onward): PracticeState | null {
  const { phase } = state;
  if (phase.name === 'recording') return to(state, { name: 'stopping', onward });
  if (phase.name === 'held') return sendOrRefuse(state, phase.answer, onward);
  if (phase.name === 'ready' && onward === 'next') return null;
  if (phase.name !== 'ready' && phase.name !== 'refused' && phase.name !== 'micUnavailable') return null;
  const next = moveOn(state, onward);
  return next.phase.name === 'completed' && state.saved.length === 0 ? null : next;
}

/** The practice session's state machine. Source: product specification, section 4, practice session. */
export const practiceReducer = reducerOf<PracticeState, PracticeEvent>({
  ...takeTransitions<PracticeState>(),
  start: (state) =>
    ['ready', 'refused', 'micUnavailable'].includes(state.phase.name) ? to(state, { name: 'starting' }) : null,
  next: (state) => leaveQuestion(state, 'next'),
  finish: (state) => leaveQuestion(state, 'finish'),
  listen: (state) =>
    state.phase.name === 'recording' ? to(state, { name: 'stopping', onward: 'next', listens: true }) : null,
  'send-again': (state, { unattended = false }) =>
    state.phase.name === 'held' ? sendOrRefuse(state, state.phase.answer, state.phase.onward, unattended) : null,
  'send-later': (state) => {
    if (state.phase.name !== 'held') return null;
    const { answer, onward } = state.phase;
    return moveOn({ ...state, waiting: [...state.waiting, { askedIndex: state.index, answer }] }, onward);
  },
  'sent-later': (state, { recording }) => {
    const sent = withSentLater(state, recording);
    return sent.phase.name === 'sending-rest' && sent.waiting.length === 0 ? to(sent, { name: 'completed' }) : sent;
  },
  finished: (state, { answer, unexpectedEnd }) => {
    const { phase } = state;
    if (phase.name !== 'stopping' && phase.name !== 'recording') return null;
    const onward = phase.name === 'stopping' ? phase.onward : 'next';
    const asked = phase.name === 'stopping' && phase.listens ? heldToListen : holdIfSilent(answer);
    const hold = phase.name === 'stopping' ? asked : unexpectedEnd;
    if (!hold) return sendOrRefuse(state, answer, onward);
    return to(state, unlessRefused<PracticePhase>(answer, { name: 'held', answer, onward, ...hold }));
  },
  adopt: (state, { answer }) => (state.phase.name === 'ready' ? sendOrRefuse(state, answer, 'next') : null),
  uploaded: (state, { recording }) => {
    const { phase } = state;
    if (phase.name !== 'uploading') return null;
    return moveOn({ ...state, saved: withSavedAnswer(state.saved, recording) }, phase.onward, phase.unattended);
  },
  'upload-failed': (state, { type: reason, ...failure }) => {
    const { phase } = state;
    if (phase.name !== 'uploading') return null;
    return to(state, { ...phase, name: 'held', reason, ...failure });
  },
});

/** Whether a button is enabled. */
export function canDo(state: PracticeState, type: 'start' | Onward): boolean {
  return practiceReducer(state, { type }) !== state;
}
