import type {
  HistorySummary,
  InterviewDetail,
  InterviewItem,
  InterviewRecordingDetail,
  PracticeDetail,
  PracticeItem,
  PracticeRecordingDetail,
} from '@interview-prep/contracts/history/history';

/** A row of either history. Interview-only fields are optional. */
export type SessionItem = Omit<PracticeItem, 'practiceSetId'> &
  Partial<
    Pick<
      InterviewItem,
      'userId' | 'interviewSetId' | 'averageCorrectness' | 'editedCount' | 'reviewedCount' | 'sources'
    >
  >;

/** A recording of either kind. Practice recordings aren't judged. */
export type SessionRecording = PracticeRecordingDetail &
  Partial<
    Pick<
      InterviewRecordingDetail,
      'isCorrect' | 'correctnessPercentage' | 'chatGPTResponse' | 'assessment' | 'guestFeedback'
    >
  >;

/** A full session of either kind. Only practice has `answers` (parallel to questions); only interviews have the rest. */
export type SessionDetail = Omit<PracticeDetail, 'answers' | 'recordings' | 'practiceSetId'> &
  Partial<Pick<PracticeDetail, 'answers'>> &
  Partial<
    Pick<InterviewDetail, 'userId' | 'interviewSetId' | 'askedQuestions' | 'followUps' | 'sources' | 'assignment'>
  > & {
    recordings: SessionRecording[];
  };

/** A page of a history, and the cursor of the next one. */
export interface HistoryPage {
  recordings: SessionItem[];
  nextCursor: string | null;
  total: number;
  summary?: HistorySummary | undefined;
}
