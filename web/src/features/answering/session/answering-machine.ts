import { answerSizeError } from '../../../lib/drafts/answer-size-error.ts';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import type { DeviceProblem } from '../../../lib/recording/device-problem.ts';
import type { SavedAnswer, TakeEvent, UploadEvent } from './answer-events.ts';

/**
 * The phases of a question that every answering session knows.
 * starting: the device opens · refused: what was recorded is no answer · micUnavailable: no microphone
 */
export type CommonPhase =
  | { name: 'starting' }
  | { name: 'recording'; startedAtMs: number }
  | { name: 'refused'; message: string }
  | { name: 'micUnavailable'; problem: DeviceProblem }
  | { name: 'completed' };

/** Where an answering session stands. `Phase` is one of the session's own, or a common one. */
export interface AnsweringState<Phase extends { name: string }> {
  questionCount: number;
  /** The question being answered, from 0. */
  index: number;
  saved: readonly SavedAnswer[];
  phase: Phase | CommonPhase;
}

/** What may happen to any answering session. */
export type AnsweringEvent =
  | TakeEvent
  | UploadEvent
  /** An answer of this session that a former visit could not send. */
  | { type: 'adopt'; answer: RecordedAnswer };

/** Where a reload left off. */
export interface Resumed {
  index: number;
  saved: readonly SavedAnswer[];
}

/** The state at the beginning in `phase`, or at the question where a reload left off. */
export function beginAt<Phase extends { name: string }>(
  phase: Phase,
  questionCount: number,
  resumed?: Resumed,
): AnsweringState<Phase> {
  const index = Math.min(Math.max(resumed?.index ?? 0, 0), Math.max(questionCount - 1, 0));
  return { questionCount, index, saved: resumed?.saved ?? [], phase };
}

/** What is saved together with a newer answer; of two to the same question the newer one counts. */
export const joined = (saved: readonly SavedAnswer[], newer: SavedAnswer): readonly SavedAnswer[] => [
  ...saved.filter(({ questionId }) => questionId !== newer.questionId),
  newer,
];

/** The phase of an answer that is one; 'refused' with the reason for another. */
export function unlessRefused<Phase>(
  answer: RecordedAnswer,
  phase: Phase,
): Phase | { name: 'refused'; message: string } {
  const message = answerSizeError(answer.blob.size);
  return message === null ? phase : { name: 'refused', message };
}

/** What each event does where it is meant; null where it is not: a second click, a late answer of the browser. */
export type Transitions<State, Event extends { type: string }> = {
  [Type in Event['type']]: (state: State, event: Extract<Event, { type: Type }>) => State | null;
};

/** The reducer of a table of transitions: what is not meant leaves the state as it is. */
export function reducerOf<State, Event extends { type: string }>(transitions: Transitions<State, Event>) {
  return (state: State, event: Event): State => {
    const transition = transitions[event.type as Event['type']] as (state: State, event: Event) => State | null;
    return transition(state, event) ?? state;
  };
}

type RecorderNews = Exclude<TakeEvent, { type: 'finished' }>;

/** What the browser's recorder does to any answering session, but for the end of a recording. */
export function takeTransitions<Phase extends { name: string }>(): Transitions<AnsweringState<Phase>, RecorderNews> {
  type State = AnsweringState<Phase>;
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
