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

/** Whether an answer is in the browser's database, not only in this tab. True if there is no answer. */
function useIsDraftPersisted(draftId: string | null): boolean {
  return useSyncExternalStore(watchTab, () => draftId === null || !isHeldInTab(draftId));
}

/** How interview and practice sessions differ. `Own` are the events of the kind's machine. */
export interface SessionRules<State, Own> {
  kind: SessionKind;
  reducer: (state: State, event: AnsweringEvent | Own) => State;
  begin: (questionCount: number, resumed: Resumed) => State;
  /** The toast at the end. */
  completed: string;
  /** Where the end leads. */
  historyPath: string;
  /** Why a completed session cannot end yet: a message, and the event that goes back. Null if it can. */
  obstacle: (state: State) => { message: string; event: Own } | null;
}

/** The phases in which an answer is spoken, or waits to be sent. */
const answeringPhases = new Set(['asking', 'starting', 'recording', 'stopping', 'uploading', 'held']);

interface AnsweredSet {
  _id: string;
  title: string;
  /** ISO 8601. */
  updatedAt: string;
  asksFollowUps?: boolean | undefined;
}

/**
 * A session with a set: connects the state machine to the recorder, the upload and the stored progress, and leads to the
 * history at the end. `rules` must be stable between renders; `plan` counts when the session begins.
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
    /** The question being answered. */
    question: followUp?.question ?? questions[asked[index] ?? index] ?? '',
    /** Where it is a follow-up: the question that it belongs to, with its number from 1 among those that are asked. */
    parent: followUp && {
      number: askedOfSet.indexOf(followUp.parentQuestionId) + 1,
      question: questions[followUp.parentQuestionId] ?? '',
    },
    /** The follow-up questions that were asked so far. */
    followUps,
    /** Asks one after the others; the machine has to know of it, too. */
    addFollowUp,
    /** The set that it is from, in a session that mixes several. */
    sourceSetId: sources?.[asked[index] ?? index]?.setId,
    dispatch,
    take,
    /** Where the level meter notes what it hears of the current answer. */
    soundLog,
    /** Whether the browser's database has the current answer; otherwise only this tab does. */
    persisted,
    unsent,
    forgetUnsent: forget,
    /** Takes an unsent answer into this session. Returns false if it belongs to another session or question. */
    adopt: (draft: UnsentAnswer): boolean => {
      if (draft.sessionId !== sessionId || draft.questionId !== asked[index]) return false;
      dispatch({ type: 'adopt', answer: draft.answer });
      return true;
    },
    /** Notes an answer that an earlier visit recorded, and that was sent past the question being answered. */
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
