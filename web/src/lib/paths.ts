import { mixedSetId } from '@interview-prep/contracts/recording/mixed-sessions';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';

/** `assignment`: the id of the assignment that it is for. `questions`: the zero-based numbers of those to ask; the address counts from one. `continue`: the id of the interview. */
type InterviewPart = { questions: readonly number[] } | { continue: string } | { assignment: string };

const queryOf = (part: InterviewPart) =>
  'continue' in part
    ? `?continue=${part.continue}`
    : 'assignment' in part
      ? `?assignment=${part.assignment}`
      : `?questions=${part.questions.map((each) => each + 1).join(',')}`;

/** Addresses, so that links are written once. Source: product specification, section 2, routes. */
export const paths = {
  home: '/',
  technologySelection: '/technology-selection',
  payment: '/payment',
  newSet: '/new',
  manageSets: '/admin/sets',
  editSet: (id: string) => `/edit/${id}`,
  /** An interview with all questions of a set, with some of them, or with what is left of one that was begun. */
  interview: (setId: string, part?: InterviewPart): string =>
    `${setId === mixedSetId ? paths.review : `/interview/${setId}`}${part ? queryOf(part) : ''}`,
  /** A session with the questions that are due for review, of several sets. */
  review: '/review',
  progress: '/progress',
  technologies: '/technologies',
  users: '/users',
  audit: '/audit',
  interviews: '/interviews',
  interviewDetail: (interviewId: string) => `/interviews/${interviewId}`,
  /** All takes of an interview's question. The address counts questions from one. */
  takes: (interviewId: string, number: number | string) => `/interviews/${interviewId}/takes/${number}`,
  practiceInterviews: '/practiceInterviews',
  practiceDetail: (practiceId: string) => `/practiceInterviews/${practiceId}`,
  practice: '/practice',
  practiceSession: (setId: string, part?: { assignment: string }) =>
    `/practice/session/${setId}${part ? queryOf(part) : ''}`,
  practiceAdmin: '/admin/practice',
  integrations: '/integrations',
  groups: '/groups',
  /** With an assignment, that one is shown first. */
  group: (id: string, assignmentId?: string) => `/groups/${id}${assignmentId ? `#assignment=${assignmentId}` : ''}`,
  /** Who of the group has done an assignment. */
  roster: (groupId: string, assignmentId: string) => `/groups/${groupId}/assignments/${assignmentId}`,
  /** How its members answered each question of it. */
  rosterQuestions: (groupId: string, assignmentId: string) =>
    `/groups/${groupId}/assignments/${assignmentId}/questions`,
  /** What they did, on paper; and what one of them did. */
  rosterReport: (groupId: string, assignmentId: string) => `/groups/${groupId}/assignments/${assignmentId}/report`,
  memberReport: (groupId: string, assignmentId: string, userId: string) =>
    `/groups/${groupId}/assignments/${assignmentId}/members/${userId}`,
  /** Where an invitation's token or a code, the fragment, lets one into a group; the second asks for a sign-in first. */
  join: '/join',
  joinSignedIn: '/groups/join',
  appeals: '/admin/appeals',
  queues: '/admin/queues',
  shareLinks: '/admin/share-links',
  /** What a link shows; the token is the fragment. */
  shared: '/shared',
  /** Where an OpenID provider sends the browser back to. */
  signInCallback: '/sign-in/callback',
  /** Where a launch from a learning platform arrives; where it is linked to an account that is there; where a coach chooses. */
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

/** The detail of an interview or a practice session. */
export function sessionPath(kind: SessionKind, id: string): string {
  return kind === 'interview' ? paths.interviewDetail(id) : paths.practiceDetail(id);
}

/** The part of a detail's address that leads to a question, which counts from 1 there: '#question-2'. */
export function questionHash(questionId: number): string {
  return `#question-${questionId + 1}`;
}

/** The zero-based number of the question that an address leads to; null if it leads to none. */
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
