import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { countOf } from '../../lib/formats.ts';
import { fallbacks, messages } from '../../lib/messages.ts';
import { paths } from '../../lib/paths.ts';

interface SessionKindRoutes {
  list: 'interviewHistory' | 'practiceHistory';
  search: 'searchInterviewHistory' | 'searchPracticeHistory';
  groups: 'interviewGroups' | 'practiceGroups';
  searchGroups: 'searchInterviewGroups' | 'searchPracticeGroups';
  detail: 'interviewDetail' | 'practiceDetail';
}

/** The differences between interview and practice histories: paths and texts. */
export interface SessionKindTexts {
  routes: SessionKindRoutes;
  listPath: string;
  detailPath: (id: string) => string;
  tag: 'InterviewHistory' | 'PracticeHistory';
  heading: string;
  detailHeading: string;
  /** Shown if the history is empty. */
  none: string;
  /** '1 interview', '12 interviews'. */
  counted: (count: number) => string;
  next: { label: string; path: string };
  messages: {
    fetchHistory: string;
    fetchDetail: string;
    loadFailed: string;
    noData: string;
    detailFailed: string;
    noDetail: string;
    missingId: string;
    notFound: string;
  };
}

/** Source: product specification, sections 2, 7 and 8. Practice falls back to the interview texts. */
export const sessionKinds: Record<SessionKind, SessionKindTexts> = {
  interview: {
    routes: {
      list: 'interviewHistory',
      search: 'searchInterviewHistory',
      groups: 'interviewGroups',
      searchGroups: 'searchInterviewGroups',
      detail: 'interviewDetail',
    },
    listPath: paths.interviews,
    detailPath: paths.interviewDetail,
    tag: 'InterviewHistory',
    heading: 'Interview History',
    detailHeading: 'Interview',
    none: messages.interviews.none,
    counted: (count) => countOf(count, 'interview'),
    next: { label: 'Take an interview', path: paths.home },
    messages: {
      fetchHistory: fallbacks.fetchInterviewHistory,
      fetchDetail: fallbacks.fetchInterviewDetails,
      loadFailed: messages.interviews.loadFailed,
      noData: messages.interviews.noData,
      detailFailed: messages.interviews.detailFailed,
      noDetail: messages.interviews.noDetail,
      missingId: messages.interviews.missingId,
      notFound: messages.interviews.notFound,
    },
  },
  practice: {
    routes: {
      list: 'practiceHistory',
      search: 'searchPracticeHistory',
      groups: 'practiceGroups',
      searchGroups: 'searchPracticeGroups',
      detail: 'practiceDetail',
    },
    listPath: paths.practiceInterviews,
    detailPath: paths.practiceDetail,
    tag: 'PracticeHistory',
    heading: 'Practice History',
    detailHeading: 'Practice session',
    none: 'No practice sessions found.',
    counted: (count) => countOf(count, 'session'),
    next: { label: 'Start practicing', path: paths.practice },
    messages: {
      fetchHistory: fallbacks.fetchPracticeHistory,
      fetchDetail: fallbacks.fetchPracticeDetails,
      loadFailed: messages.practice.historyFailed,
      noData: messages.interviews.noData,
      detailFailed: messages.practice.detailFailed,
      noDetail: messages.practice.detailFailed,
      missingId: messages.practice.notFound,
      notFound: messages.practice.notFound,
    },
  },
};
