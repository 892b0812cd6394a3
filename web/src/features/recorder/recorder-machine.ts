import type { Answer } from '../../media/answer.ts';
import type { HeldReason, SavedAnswer, TakeEvent, UploadEvent } from '../../media/answer-events.ts';
import { answerFault } from '../../media/answer-fault.ts';
import type { DeviceProblem } from '../../media/device-problem.ts';

/**
 * Where an interview stands within its question.
 * check: the moment before the first question · starting: the microphone opens · stopping: the last sound is being written
 * held: an answer is recorded but not sent · refused: what was recorded is no answer · unheard: no microphone
 */
export type Phase =
  | { name: 'check' }
  | { name: 'starting' }
  | { name: 'recording'; startedAtMs: number }
  | { name: 'stopping' }
  | { name: 'uploading'; answer: Answer }
  | { name: 'held'; answer: Answer; reason: HeldReason; message: string }
  | { name: 'refused'; message: string }
  | { name: 'unheard'; problem: DeviceProblem }
  | { name: 'completed' };

export interface RecorderState {
  questionCount: number;
  /** The question being answered, from 0. */
  index: number;
  saved: readonly SavedAnswer[];
  phase: Phase;
}

export type RecorderEvent =
  | { type: 'begin' }
  | TakeEvent
  | UploadEvent
  /** The one button: stops and sends, or sends again what is held. */
  | { type: 'advance' }
  /** An answer of this session that a former visit could not send. */
  | { type: 'adopt'; answer: Answer }
  /** Completion found a question without an answer. */
  | { type: 'answer-missing'; index: number };

/** The beginning, or where a reload left off. */
export function initialRecorderState(
  questionCount: number,
  resumed?: { index: number; saved: readonly SavedAnswer[] },
): RecorderState {
  const index = Math.min(Math.max(resumed?.index ?? 0, 0), Math.max(questionCount - 1, 0));
  return { questionCount, index, saved: resumed?.saved ?? [], phase: { name: 'check' } };
}

const to = (state: RecorderState, phase: Phase): RecorderState => ({ ...state, phase });

/** Sends an answer that is one; says why another is none. */
function sendOrRefuse(state: RecorderState, answer: Answer): RecorderState {
  const fault = answerFault(answer.blob.size);
  return to(state, fault === null ? { name: 'uploading', answer } : { name: 'refused', message: fault });
}

function withSaved(state: RecorderState, recording: SavedAnswer): RecorderState {
  const saved = [...state.saved.filter(({ questionId }) => questionId !== recording.questionId), recording];
  const last = state.index >= state.questionCount - 1;
  return last
    ? { ...state, saved, phase: { name: 'completed' } }
    : { ...state, saved, index: state.index + 1, phase: { name: 'starting' } };
}

type Transitions = {
  [Type in RecorderEvent['type']]: (
    state: RecorderState,
    event: Extract<RecorderEvent, { type: Type }>,
  ) => RecorderState | null;
};

/** What each event does where it is meant; null where it is not: a second click, a late answer of the browser. */
const transitions: Transitions = {
  begin: (state) => (state.phase.name === 'check' ? to(state, { name: 'starting' }) : null),
  started: (state, { atMs }) =>
    state.phase.name === 'starting' ? to(state, { name: 'recording', startedAtMs: atMs }) : null,
  'microphone-failed': (state, { problem }) =>
    state.phase.name === 'starting' ? to(state, { name: 'unheard', problem }) : null,
  advance: (state) => {
    if (state.phase.name === 'recording') return to(state, { name: 'stopping' });
    if (state.phase.name === 'held') return sendOrRefuse(state, state.phase.answer);
    return null;
  },
  finished: (state, { answer, unasked }) => {
    if (state.phase.name === 'stopping') return sendOrRefuse(state, answer);
    if (state.phase.name !== 'recording') return null;
    const fault = answerFault(answer.blob.size);
    return to(state, fault === null ? { name: 'held', answer, ...unasked } : { name: 'refused', message: fault });
  },
  'recording-failed': (state, { message }) =>
    state.phase.name === 'recording' || state.phase.name === 'stopping' || state.phase.name === 'starting'
      ? to(state, { name: 'refused', message })
      : null,
  'record-again': (state) =>
    ['recording', 'held', 'refused', 'unheard'].includes(state.phase.name) ? to(state, { name: 'starting' }) : null,
  adopt: (state, { answer }) => (state.phase.name === 'check' ? sendOrRefuse(state, answer) : null),
  uploaded: (state, { recording }) => (state.phase.name === 'uploading' ? withSaved(state, recording) : null),
  'upload-failed': (state, { message }) =>
    state.phase.name === 'uploading'
      ? to(state, { name: 'held', answer: state.phase.answer, reason: 'upload-failed', message })
      : null,
  'answer-missing': (state, { index }) =>
    state.phase.name === 'completed' ? { ...state, index, phase: { name: 'starting' } } : null,
};

/** The recorder's state machine. Source: product specification, section 4, interview recording. */
export function recorderReducer(state: RecorderState, event: RecorderEvent): RecorderState {
  const transition = transitions[event.type] as (state: RecorderState, event: RecorderEvent) => RecorderState | null;
  return transition(state, event) ?? state;
}

/** The first question that has no saved answer; null where every one has. */
export function missingAnswer({ questionCount, saved }: Pick<RecorderState, 'questionCount' | 'saved'>): number | null {
  const answered = new Set(saved.map(({ questionId }) => questionId));
  for (let index = 0; index < questionCount; index += 1) if (!answered.has(index)) return index;
  return null;
}
