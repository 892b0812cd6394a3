import type { User } from '@interview-prep/contracts/auth/users';
import type {
  InterviewDetail,
  InterviewItem,
  InterviewRecordingDetail,
} from '@interview-prep/contracts/history/history';
import type { Delivery } from '@interview-prep/contracts/recording/delivery';

export const candidate: User = {
  id: 'aaaaaaaaaaaaaaaaaaaaaaaa',
  email: 'candidate@example.com',
  role: 'others',
  technologies: [],
  plan: 'basic',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastLogin: null,
};

let made = 0;

/** A row of the interview history: complete, by default the candidate's own. */
export function interviewItem(more: Partial<InterviewItem> = {}): InterviewItem {
  made += 1;
  return {
    _id: made.toString(16).padStart(24, '0'),
    sessionId: `session-${made}`,
    userId: candidate.id,
    createdAt: '2026-11-20T08:45:00.000Z',
    technology: 'React',
    interviewSetId: 'bbbbbbbbbbbbbbbbbbbbbbbb',
    title: `Set ${made}`,
    questionCount: 5,
    answeredCount: 5,
    pendingCount: 0,
    averageCorrectness: 72,
    editedCount: 0,
    reviewedCount: 0,
    userDetails: { email: candidate.email, role: 'others', lastLogin: null },
    ...more,
  };
}

export const interviewId = '0123456789abcdef01234567';
export const recordingId = 'cccccccccccccccccccccccc';

const transcript = 'A closure remembers its scope.';

/** The delivery of a typical answer. */
export const usualDelivery: Delivery = {
  wordsPerMinute: 132,
  pace: [],
  fillers: [],
  omitsFillers: false,
  pauses: [],
  firstWordMs: 1200,
  silenceShare: 0.2,
  sound: { speechDb: -24, noiseDb: -55, clippedShare: 0, problem: null, tooPoor: false },
};

/** A judged answer to question 1. */
export function interviewRecording(more: Partial<InterviewRecordingDetail> = {}): InterviewRecordingDetail {
  return {
    _id: recordingId,
    questionId: 0,
    take: 1,
    createdAt: '2026-11-20T08:45:00.000Z',
    audioUrl: '/api/media/cccccccccccccccccccccccc?token=a',
    mediaType: 'audio/webm',
    durationMs: 5000,
    transcription: {
      status: 'completed',
      text: transcript,
      words: transcript.split(' ').map((word, index) => ({
        word,
        startMs: index * 1000,
        endMs: index * 1000 + 800,
        confidence: 0.9,
      })),
      completedAt: '2026-11-20T08:46:00.000Z',
      engine: 'pocketsphinx en-us',
    },
    isCorrect: true,
    correctnessPercentage: 82,
    chatGPTResponse: 'My answer would be: A closure is a function with its `scope`.',
    assessment: {
      status: 'completed',
      engine: 'reference',
      points: [
        { text: 'Function and scope', covered: true, evidence: 'remembers its scope' },
        { text: '`Private` state', covered: false, evidence: '' },
      ],
    },
    ...more,
  };
}

/** The same answer while it is still being processed. */
export function pendingRecording(more: Partial<InterviewRecordingDetail> = {}): InterviewRecordingDetail {
  return interviewRecording({
    durationMs: null,
    transcription: { status: 'pending', text: '', completedAt: null },
    isCorrect: null,
    correctnessPercentage: null,
    chatGPTResponse: '',
    assessment: { status: 'pending' },
    ...more,
  });
}

/** The candidate's own interview with one question, answered by default. */
export function interviewDetail(more: Partial<InterviewDetail> = {}): InterviewDetail {
  const { questions = ['What is a closure?'] } = more;
  return {
    _id: interviewId,
    sessionId: 'session-of-detail',
    userId: candidate.id,
    userDetails: { email: candidate.email, role: 'others', lastLogin: null },
    technology: 'JavaScript',
    title: 'Closures and scope',
    createdAt: '2026-11-20T08:40:00.000Z',
    interviewSetId: 'bbbbbbbbbbbbbbbbbbbbbbbb',
    questions,
    askedQuestions: [...questions.keys()],
    recordings: [interviewRecording()],
    ...more,
  };
}
