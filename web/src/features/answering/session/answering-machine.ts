import { answerSizeError, type RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import { messages } from '../../../lib/messages.ts';
import type { DeviceProblem } from '../../../lib/recording/device-problem.ts';
import { silenceMs } from '../../../lib/recording/sound-level.ts';
import type { HeldReason, SavedAnswer, TakeEvent, UploadEvent, WaitingAnswer } from './answer-events.ts';

/**
 * The phases that interview and practice sessions share.
 * starting: the device is opening · refused: the recording is too short or too large · micUnavailable: no microphone ·
 * sending-rest: all questions are answered, and some answers are waiting for the network
 */
export type CommonPhase =
  | { name: 'starting' }
  | { name: 'recording'; startedAtMs: number }
  | { name: 'refused'; message: string }
  | { name: 'micUnavailable'; problem: DeviceProblem }
  | { name: 'sending-rest' }
  | { name: 'completed' };

/** The state of a session. `Phase` adds the kind's own phases. */
export interface AnsweringState<Phase extends { name: string }> {
  questionCount: number;
  /** The current question, as an index among those asked. */
  index: number;
  saved: readonly SavedAnswer[];
  /** Oldest first. */
  waiting: readonly WaitingAnswer[];
  /** Whether follow-up questions may come after the last one. */
  asksFollowUps: boolean;
  phase: Phase | CommonPhase;
}

/** Events of every session. */
export type AnsweringEvent =
  | TakeEvent
  | UploadEvent
  /** Resends a held answer. `unattended`: not triggered by the user, so no recording may start afterward. */
  | { type: 'send-again'; unattended?: boolean }
  /** Queues a held answer until the network is back, and goes on. */
  | { type: 'send-later' }
  /** An answer of this session that an earlier visit couldn't send. */
  | { type: 'adopt'; answer: RecordedAnswer };

/** The position to resume at after a reload. */
export interface Resumed {
  index: number;
  saved: readonly SavedAnswer[];
  asksFollowUps?: boolean;
}

/** The initial state in `phase`, at the question to resume with after a reload. */
export function beginAt<Phase extends { name: string }>(
  phase: Phase,
  questionCount: number,
  resumed?: Resumed,
): AnsweringState<Phase> {
  const index = Math.min(Math.max(resumed?.index ?? 0, 0), Math.max(questionCount - 1, 0));
  const { saved = [], asksFollowUps = false } = resumed ?? {};
  return { questionCount, index, saved, waiting: [], asksFollowUps, phase };
}

/** Adds an answer to the saved ones, replacing an earlier answer to the same question. */
export function withSavedAnswer(saved: readonly SavedAnswer[], newer: SavedAnswer): readonly SavedAnswer[] {
  return [...saved.filter(({ askedIndex }) => askedIndex !== newer.askedIndex), newer];
}

export function withSentLater<State extends AnsweringState<{ name: string }>>(state: State, sent: SavedAnswer): State {
  const waiting = state.waiting.filter(({ askedIndex }) => askedIndex !== sent.askedIndex);
  return { ...state, waiting, saved: withSavedAnswer(state.saved, sent) };
}

/** `phase` if the answer can be sent, else 'refused' with the reason. */
export function unlessRefused<Phase>(
  answer: RecordedAnswer,
  phase: Phase,
): Phase | { name: 'refused'; message: string } {
  const message = answerSizeError(answer.blob.size);
  return message === null ? phase : { name: 'refused', message };
}

/** Why a silent answer is held before sending. Null if sound was heard, or if the silence was too short for a warning. */
export function holdIfSilent({ silent, durationMs }: RecordedAnswer): { reason: HeldReason; message: string } | null {
  return silent && durationMs >= silenceMs ? { reason: 'silent', message: messages.recorder.silent } : null;
}

/** Why an answer is held that the candidate wants to hear before sending. */
export const heldToListen = { reason: 'listening', message: messages.recorder.listening } as const;

/** The transition for each event; null if it doesn't apply, such as a second click or a late browser event. */
export type Transitions<State, Event extends { type: string }> = {
  [Type in Event['type']]: (state: State, event: Extract<Event, { type: Type }>) => State | null;
};

/** Builds a reducer from a table of transitions. Events that don't apply leave the state unchanged. */
export function reducerOf<State, Event extends { type: string }>(transitions: Transitions<State, Event>) {
  return (state: State, event: Event): State => {
    const transition = transitions[event.type as Event['type']] as (state: State, event: Event) => State | null;
    return transition(state, event) ?? state;
  };
}

type RecorderEvent = Exclude<TakeEvent, { type: 'finished' }>;

/** The transitions of recorder events common to all sessions, except for the end of a recording. */
export function takeTransitions<State extends AnsweringState<{ name: string }>>(): Transitions<State, RecorderEvent> {
  const from = (state: State, names: readonly string[], phase: CommonPhase): State | null =>
    names.includes(state.phase.name) ? { ...state, phase } : null;
  return {
    started: (state, { atMs }) => from(state, ['starting'], { name: 'recording', startedAtMs: atMs }),
    'microphone-failed': (state, { problem }) => from(state, ['starting'], { name: 'micUnavailable', problem }),
    'recording-failed': (state, { message }) =>
      from(state, ['starting', 'recording', 'stopping'], { name: 'refused', message }),
    'record-again': (state) => from(state, ['recording', 'held', 'refused', 'micUnavailable'], { name: 'starting' }),
  };
}
