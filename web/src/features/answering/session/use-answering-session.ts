import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { useCallback, useEffect, useMemo, useReducer, useRef, useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router-dom';
import { useAttendance } from '../../../lib/attendance.ts';
import type { UnsentAnswer } from '../../../lib/drafts/draft.ts';
import { isHeldInTab, watchTab } from '../../../lib/drafts/tab-memory.ts';
import { messages } from '../../../lib/messages.ts';
import { newSoundLog } from '../../../lib/recording/sound-level.ts';
import { toast } from '../../../lib/toasts.ts';
import type { HeldReason, Input } from './answer-events.ts';
import type { AnsweringEvent, AnsweringState, Resumed } from './answering-machine.ts';
import {
  type AskedFollowUp,
  forgetProgress,
  keepProgress,
  resumeOrBegin,
  type SessionPlan,
} from './session-progress.ts';
import type { AnswerTarget } from './take.ts';
import { recorderToast } from './upload-outcome.ts';
import { useAnswerUpload } from './use-answer-upload.ts';
import { useTake } from './use-take.ts';
import { useUnsentAnswers } from './use-unsent-answers.ts';

/** Whether an answer is in the browser's database, not only in this tab. True without an answer. */
function useIsDraftPersisted(draftId: string | null): boolean {
  return useSyncExternalStore(watchTab, () => draftId === null || !isHeldInTab(draftId));
}

/** The differences between interview and practice sessions. `Own` are the events of the kind's own machine. */
export interface SessionRules<State, Own> {
  kind: SessionKind;
  reducer: (state: State, event: AnsweringEvent | Own) => State;
  begin: (questionCount: number, resumed: Resumed) => State;
  /** The final toast. */
  completed: string;
  /** Where to go at the end. */
  historyPath: string;
  /** Why a completed session can't end yet: a message and the event to go back. Null if it can. */
  obstacle: (state: State) => { message: string; event: Own } | null;
}

/** The phases in which an answer is being spoken or is waiting to be sent. */
const answeringPhases = new Set(['asking', 'starting', 'recording', 'stopping', 'uploading', 'held']);

interface AnsweredSet {
  _id: string;
  title: string;
  /** ISO 8601. */
  updatedAt: string;
  asksFollowUps?: boolean | undefined;
}

/**
 * Runs a session with a set: connects the state machine to the recorder, the upload and the stored progress, and goes to the
 * history at the end. `rules` must be stable between renders; `plan` only matters when the session starts.
 */
export function useAnsweringSession<
  State extends AnsweringState<{
    name: string;
    answer?: UnsentAnswer['answer'];
    reason?: HeldReason;
    retryAtMs?: number;
  }>,
  Own extends { type: string },
>(rules: SessionRules<State, Own>, set: AnsweredSet, plan: SessionPlan, userId: string, input: Input) {
  const { _id: setId, title, updatedAt, asksFollowUps = false } = set;
  const [resumed] = useState(() => resumeOrBegin(userId, setId, plan));
  const { sessionId, questions, asked: askedOfSet, setChanged, sources, assignmentId } = resumed;
  const [followUps, setFollowUps] = useState(resumed.followUps ?? []);
  const asked = useMemo(
    () => [...askedOfSet, ...followUps.map(({ questionId }) => questionId)],
    [askedOfSet, followUps],
  );
  const [state, dispatch] = useReducer(rules.reducer, null, () =>
    rules.begin(asked.length, { ...resumed, asksFollowUps }),
  );
  const { index, saved, phase } = state;
  const navigate = useNavigate();

  const targetOf = useCallback(
    (askedIndex: number): AnswerTarget => ({
      kind: rules.kind,
      userId,
      setId,
      sessionId,
      questionId: asked[askedIndex] ?? askedIndex,
      ...(askedOfSet.length < questions.length ? { askedQuestions: askedOfSet } : {}),
      ...(sources ? { sources } : {}),
      ...(assignmentId ? { assignmentId } : {}),
      setTitle: title,
      setUpdatedAt: updatedAt,
    }),
    [rules.kind, userId, setId, sessionId, asked, askedOfSet, questions, sources, assignmentId, title, updatedAt],
  );

  useAttendance(answeringPhases.has(phase.name));
  const soundLog = useRef(newSoundLog());
  const take = useTake(rules.kind, state, dispatch, input, soundLog, targetOf);
  useAnswerUpload(rules.kind, state, dispatch, targetOf, take.uploads);
  const persisted = useIsDraftPersisted(take.draftId);
  const { unsent, forget } = useUnsentAnswers(userId, setId, sessionId, (questionId) =>
    saved.some(({ askedIndex }) => asked[askedIndex] === questionId),
  );

  const sendUnattended = useCallback(() => dispatch({ type: 'send-again', unattended: true }), []);
  const retryAtMs = 'retryAtMs' in phase ? phase.retryAtMs : undefined;
  useEffect(() => {
    if (retryAtMs === undefined) return;
    const timer = setTimeout(sendUnattended, Math.max(0, retryAtMs - Date.now()));
    return () => clearTimeout(timer);
  }, [retryAtMs, sendUnattended]);

  const isUnsent = 'reason' in phase && phase.reason === 'upload-failed' && retryAtMs === undefined;
  useEffect(() => {
    if (!isUnsent) return;
    window.addEventListener('online', sendUnattended);
    return () => window.removeEventListener('online', sendUnattended);
  }, [isUnsent, sendUnattended]);

  const completed = phase.name === 'completed';
  useEffect(() => {
    if (completed) return;
    const head = { ...(sources && { sources }), ...(assignmentId && { assignmentId }) };
    keepProgress(userId, setId, { sessionId, questions, asked: askedOfSet, index, saved, followUps, ...head });
  }, [completed, userId, setId, sessionId, questions, askedOfSet, index, saved, sources, assignmentId, followUps]);

  useEffect(() => {
    if (setChanged) toast.info(messages.recorder.setChanged, { id: recorderToast });
  }, [setChanged]);

  const left = useRef(false);
  useEffect(() => {
    if (!completed || left.current) return;
    const obstacle = rules.obstacle(state);
    if (obstacle) {
      toast.error(obstacle.message, { id: recorderToast });
      dispatch(obstacle.event);
      return;
    }
    left.current = true;
    forgetProgress(userId, setId);
    if (saved.length > 0) toast.success(rules.completed, { id: recorderToast });
    // Replace: Back must not start another session.
    void navigate(rules.historyPath, { replace: true, state: { finished: saved.at(-1)?.interviewId } });
  }, [completed, rules, state, saved, userId, setId, navigate]);

  const followUp = followUps.find(({ questionId }) => questionId === asked[index]);
  const addFollowUp = useCallback((added: AskedFollowUp) => setFollowUps((before) => [...before, added]), []);
  return {
    state,
    question: followUp?.question ?? questions[asked[index] ?? index] ?? '',
    /** For a follow-up question: the question it belongs to, with its number from 1 among those asked. */
    parent: followUp && {
      number: askedOfSet.indexOf(followUp.parentQuestionId) + 1,
      question: questions[followUp.parentQuestionId] ?? '',
    },
    /** The follow-up questions asked so far. */
    followUps,
    /** Appends a follow-up question; the machine has to be told too. */
    addFollowUp,
    /** The question's set, in a session with several. */
    sourceSetId: sources?.[asked[index] ?? index]?.setId,
    dispatch,
    take,
    /** The level meter's log for the current answer. */
    soundLog,
    /** Whether the browser's database has the current answer; if not, it only exists in this tab. */
    persisted,
    unsent,
    forgetUnsent: forget,
    /** Adds an unsent answer to this session. Returns false if it belongs to another session or question. */
    adopt: (draft: UnsentAnswer): boolean => {
      if (draft.sessionId !== sessionId || draft.questionId !== asked[index]) return false;
      dispatch({ type: 'adopt', answer: draft.answer });
      return true;
    },
    /** Records that an answer of an earlier visit to another question was sent. */
    noteSent: (draft: { sessionId: string; questionId: number }, _id: string) => {
      const askedIndex = asked.indexOf(draft.questionId);
      if (draft.sessionId === sessionId && askedIndex >= 0) {
        dispatch({ type: 'sent-later', recording: { _id, askedIndex } });
      }
    },
    recordAgain: () => {
      take.discard();
      dispatch({ type: 'record-again' });
    },
  };
}

export type AnsweringSession<
  State extends AnsweringState<{ name: string; answer?: UnsentAnswer['answer']; retryAtMs?: number }>,
  Own extends { type: string },
> = ReturnType<typeof useAnsweringSession<State, Own>>;
