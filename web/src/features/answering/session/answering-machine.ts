import { answerSizeError, type RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import { messages } from '../../../lib/messages.ts';
import type { DeviceProblem } from '../../../lib/recording/device-problem.ts';
import { silenceMs } from '../../../lib/recording/sound-level.ts';
import type { HeldReason, SavedAnswer, TakeEvent, UploadEvent, WaitingAnswer } from './answer-events.ts';

/**
 * The phases that interview and practice sessions share.
 * starting: the device opens · refused: the recording is too short or too large · micUnavailable: no microphone ·
 * sending-rest: all questions are answered, and some answers wait for the network
 */
export type CommonPhase =
  | { name: 'starting' }
  | { name: 'recording'; startedAtMs: number }
  | { name: 'refused'; message: string }
  | { name: 'micUnavailable'; problem: DeviceProblem }
  | { name: 'sending-rest' }
  | { name: 'completed' };

/** The state of a session. `Phase` adds the phases of its kind. */
export interface AnsweringState<Phase extends { name: string }> {
  /** How many questions are asked. */
  questionCount: number;
  /** The question being answered, from 0 among those that are asked. */
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
  /** Sends a held answer again. `unattended`: not by the user, so no recording may start after it. */
  | { type: 'send-again'; unattended?: boolean }
  /** Leaves a held answer to be sent once there is a network, and goes on. */
  | { type: 'send-later' }
  /** An answer of this session that an earlier visit could not send. */
  | { type: 'adopt'; answer: RecordedAnswer };

/** Where a reload continues. */
export interface Resumed {
  index: number;
  saved: readonly SavedAnswer[];
  asksFollowUps?: boolean;
}

/** The initial state in `phase`, at the question where a reload continues. */
export function beginAt<Phase extends { name: string }>(
  phase: Phase,
  questionCount: number,
  resumed?: Resumed,
): AnsweringState<Phase> {
  const index = Math.min(Math.max(resumed?.index ?? 0, 0), Math.max(questionCount - 1, 0));
  const { saved = [], asksFollowUps = false } = resumed ?? {};
  return { questionCount, index, saved, waiting: [], asksFollowUps, phase };
}

/** The saved answers with a new one, which replaces an earlier answer to the same question. */
export function withSavedAnswer(saved: readonly SavedAnswer[], newer: SavedAnswer): readonly SavedAnswer[] {
  return [...saved.filter(({ askedIndex }) => askedIndex !== newer.askedIndex), newer];
}

/** The state once an answer that waited was sent. */
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

/** Why a silent answer is held before it is sent. Null where sound was heard, or the silence was too short for the page to warn. */
export function holdIfSilent({ silent, durationMs }: RecordedAnswer): { reason: HeldReason; message: string } | null {
  return silent && durationMs >= silenceMs ? { reason: 'silent', message: messages.recorder.silent } : null;
}

/** Why an answer is held that its candidate wants to hear before it is sent. */
export const heldToListen = { reason: 'listening', message: messages.recorder.listening } as const;

/** The transition of each event; null if it does not apply, such as a second click or a late browser event. */
export type Transitions<State, Event extends { type: string }> = {
  [Type in Event['type']]: (state: State, event: Extract<Event, { type: Type }>) => State | null;
};

/** A reducer from a table of transitions. Events that do not apply leave the state as it is. */
export function reducerOf<State, Event extends { type: string }>(transitions: Transitions<State, Event>) {
  return (state: State, event: Event): State => {
    const transition = transitions[event.type as Event['type']] as (state: State, event: Event) => State | null;
    return transition(state, event) ?? state;
  };
}

type RecorderEvent = Exclude<TakeEvent, { type: 'finished' }>;

/** The transitions that recorder events cause in every session, except for the end of a recording. */
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
