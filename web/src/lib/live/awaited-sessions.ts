import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { signedOut, signInReplaced } from '../state/sign-in-slice.ts';

/** A session with answers from this tab whose results the candidate has not seen yet. */
export interface AwaitedSession {
  kind: SessionKind;
  /** The id of its detail page. */
  id: string;
  title: string;
  /** The newest recording of each question. */
  recordingIds: Record<number, string>;
}

export interface SentAnswer extends Omit<AwaitedSession, 'recordingIds'> {
  questionId: number;
  recordingId: string;
}

const slice = createSlice({
  name: 'awaitedSessions',
  initialState: [] as AwaitedSession[],
  reducers: {
    answerSent: (sessions, { payload }: PayloadAction<SentAnswer>) => {
      const { questionId, recordingId, ...session } = payload;
      const known = sessions.find(({ id }) => id === session.id);
      if (known) known.recordingIds[questionId] = recordingId;
      else sessions.push({ ...session, recordingIds: { [questionId]: recordingId } });
    },
    resultsSeen: (sessions, { payload: id }: PayloadAction<string>) => sessions.filter((session) => session.id !== id),
  },
  extraReducers: (builder) => builder.addCase(signedOut, () => []).addCase(signInReplaced, () => []),
});

export const { answerSent, resultsSeen } = slice.actions;
export const awaitedSessionsReducer = slice.reducer;
