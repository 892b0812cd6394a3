import { mixedSetId } from '@interview-prep/contracts/recording/mixed-sessions';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';

/** `assignment`: the assignment's id. `questions`: the questions to ask, zero-based here and one-based in the URL. `continue`: the interview's id. */
type InterviewPart = { questions: readonly number[] } | { continue: string } | { assignment: string };

const queryOf = (part: InterviewPart) =>
  'continue' in part
    ? `?continue=${part.continue}`
    : 'assignment' in part
      ? `?assignment=${part.assignment}`
      : `?questions=${part.questions.map((each) => each + 1).join(',')}`;

/** The paths of all screens. Source: product specification, section 2, routes. */
export const paths = {
  home: '/',
  technologySelection: '/technology-selection',
  payment: '/payment',
  newSet: '/new',
  manageSets: '/admin/sets',
  editSet: (id: string) => `/edit/${id}`,
  /** An interview with all or some questions of a set, or with the rest of one that was begun. */
  interview: (setId: string, part?: InterviewPart): string =>
    `${setId === mixedSetId ? paths.review : `/interview/${setId}`}${part ? queryOf(part) : ''}`,
  /** A session with the questions of several sets that are due for review. */
  review: '/review',
  progress: '/progress',
  technologies: '/technologies',
  users: '/users',
  audit: '/audit',
  interviews: '/interviews',
  interviewDetail: (interviewId: string) => `/interviews/${interviewId}`,
  /** All takes of an interview's question. The URL counts questions from one. */
  takes: (interviewId: string, number: number | string) => `/interviews/${interviewId}/takes/${number}`,
  practiceInterviews: '/practiceInterviews',
  practiceDetail: (practiceId: string) => `/practiceInterviews/${practiceId}`,
  practice: '/practice',
  practiceSession: (setId: string, part?: { assignment: string }) =>
    `/practice/session/${setId}${part ? queryOf(part) : ''}`,
  practiceAdmin: '/admin/practice',
  integrations: '/integrations',
  groups: '/groups',
  /** An assignment given here is shown first. */
  group: (id: string, assignmentId?: string) => `/groups/${id}${assignmentId ? `#assignment=${assignmentId}` : ''}`,
  /** The members' progress in an assignment. */
  roster: (groupId: string, assignmentId: string) => `/groups/${groupId}/assignments/${assignmentId}`,
  /** The members' answers to each question of an assignment. */
  rosterQuestions: (groupId: string, assignmentId: string) =>
    `/groups/${groupId}/assignments/${assignmentId}/questions`,
  /** Printable reports: of the whole group, and of one member. */
  rosterReport: (groupId: string, assignmentId: string) => `/groups/${groupId}/assignments/${assignmentId}/report`,
  memberReport: (groupId: string, assignmentId: string, userId: string) =>
    `/groups/${groupId}/assignments/${assignmentId}/members/${userId}`,
  /** Joins a group with an invitation's token or a code in the fragment; the second requires a sign-in. */
  join: '/join',
  joinSignedIn: '/groups/join',
  appeals: '/admin/appeals',
  queues: '/admin/queues',
  shareLinks: '/admin/share-links',
  /** A shared session; the token is the fragment. */
  shared: '/shared',
  /** The redirect target of OpenID providers. */
  signInCallback: '/sign-in/callback',
  /** Launches from learning platforms: arrival, linking an existing account, and a coach's choice of an assignment. */
  lti: '/lti',
  ltiLink: '/lti/link',
  ltiChoose: '/lti/choose',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  changePassword: '/change-password',
  profile: '/profile',
  security: '/security',
  transcribe: '/transcribe',
} as const;

export function sessionPath(kind: SessionKind, id: string): string {
  return kind === 'interview' ? paths.interviewDetail(id) : paths.practiceDetail(id);
}

/** The fragment of a question on a detail page, counted from 1: '#question-2'. */
export function questionHash(questionId: number): string {
  return `#question-${questionId + 1}`;
}

/** The zero-based question of a fragment; null if there is none. */
export function questionOfHash(hash: string): number | null {
  const number = /^#question-([1-9]\d{0,3})$/.exec(hash)?.[1];
  return number === undefined ? null : Number(number) - 1;
}

/** Open to everyone, without the navigation bar. Every other route shows visitors the login screen. */
export const publicPaths: readonly string[] = [
  paths.forgotPassword,
  paths.resetPassword,
  paths.technologySelection,
  paths.payment,
  paths.shared,
  paths.join,
  paths.signInCallback,
  paths.lti,
];
