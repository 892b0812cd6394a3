import type { ScreenAccess } from '../src/app/routes.ts';
import type { paths } from '../src/lib/paths.ts';

/** A role's sample ids for URLs: a set and the role's own session of each kind. */
export interface Samples {
  interviewSetId: string;
  interviewId: string;
  practiceSetId: string;
  practiceId: string;
}

/** A route as seen by a user with access. */
export interface Place {
  /** The route's path pattern, or the full URL if it needs no sample. */
  path: string;
  /** The URL to request; by default the path itself. */
  address?: (samples: Samples) => string;
  access: ScreenAccess;
  /** The page title before the product's name. */
  title: string;
  /** The page's one h1. */
  heading: string | RegExp;
}

/** The samples' sets. */
export const sampleSets = {
  interview: 'JavaScript Warm-up',
  practice: 'JavaScript Essentials: Practice Round',
} as const;

const practiceQuestion = 'What do the array methods map, filter and reduce do?';

/** One row per route of the web app: a route without a row doesn't compile. Source: product specification, sections 2 and 6. */
export const places: Readonly<Record<keyof typeof paths, Place>> = {
  home: { path: '/', access: 'signed-in', title: 'Interview Sets', heading: 'Interview Sets' },
  interview: {
    path: '/interview/:id',
    address: ({ interviewSetId }) => `/interview/${interviewSetId}`,
    access: 'signed-in',
    title: `Interview: ${sampleSets.interview}`,
    heading: 'Check your microphone',
  },
  review: {
    path: '/review',
    access: 'signed-in',
    title: 'Review',
    // The first, before an answer is scored.
    heading: /^(Review|Check your microphone)$/,
  },
  interviews: {
    path: '/interviews',
    access: 'signed-in',
    title: 'Interview History',
    heading: 'Interview History',
  },
  interviewDetail: {
    path: '/interviews/:interviewId',
    address: ({ interviewId }) => `/interviews/${interviewId}`,
    access: 'signed-in',
    title: `${sampleSets.interview} · Interview History`,
    heading: sampleSets.interview,
  },
  takes: {
    path: '/interviews/:interviewId/takes/:number',
    address: ({ interviewId }) => `/interviews/${interviewId}/takes/1`,
    access: 'signed-in',
    title: 'Takes · Interview History',
    heading: 'Takes side by side',
  },
  progress: { path: '/progress', access: 'signed-in', title: 'My Progress', heading: 'My Progress' },
  practice: {
    path: '/practice',
    access: 'signed-in',
    title: 'Practice Interview',
    heading: 'Practice Interview',
  },
  practiceSession: {
    path: '/practice/session/:setId?',
    address: ({ practiceSetId }) => `/practice/session/${practiceSetId}`,
    access: 'signed-in',
    title: `Practice: ${sampleSets.practice}`,
    heading: practiceQuestion,
  },
  practiceInterviews: {
    path: '/practiceInterviews',
    access: 'signed-in',
    title: 'Practice History',
    heading: 'Practice History',
  },
  practiceDetail: {
    path: '/practiceInterviews/:practiceId',
    address: ({ practiceId }) => `/practiceInterviews/${practiceId}`,
    access: 'signed-in',
    title: `${sampleSets.practice} · Practice History`,
    heading: sampleSets.practice,
  },
  audit: { path: '/audit', access: 'admin', title: 'Audit Log', heading: 'Audit Log' },
  users: { path: '/users', access: 'admin', title: 'Manage Users', heading: 'Manage Users' },
  shared: { path: '/shared', access: 'public', title: 'Shared interview', heading: 'Shared interview' },
  integrations: { path: '/integrations', access: 'signed-in', title: 'Integrations', heading: 'Integrations' },
  groups: { path: '/groups', access: 'signed-in', title: 'Groups', heading: 'Groups' },
  group: {
    path: '/groups/:id',
    address: () => `/groups/${'0'.repeat(24)}`,
    access: 'signed-in',
    title: 'Group not found',
    heading: 'Group not found',
  },
  roster: {
    path: '/groups/:id/assignments/:assignmentId',
    address: () => `/groups/${'0'.repeat(24)}/assignments/${'0'.repeat(24)}`,
    access: 'signed-in',
    title: 'Roster',
    heading: 'Group not found',
  },
  rosterQuestions: {
    path: '/groups/:id/assignments/:assignmentId/questions',
    address: () => `/groups/${'0'.repeat(24)}/assignments/${'0'.repeat(24)}/questions`,
    access: 'signed-in',
    title: 'Questions',
    heading: 'Group not found',
  },
  rosterReport: {
    path: '/groups/:id/assignments/:assignmentId/report',
    address: () => `/groups/${'0'.repeat(24)}/assignments/${'0'.repeat(24)}/report`,
    access: 'signed-in',
    title: 'Report',
    heading: 'Group not found',
  },
  memberReport: {
    path: '/groups/:id/assignments/:assignmentId/members/:userId',
    address: () => `/groups/${'0'.repeat(24)}/assignments/${'0'.repeat(24)}/members/${'0'.repeat(24)}`,
    access: 'signed-in',
    title: 'Report',
    heading: 'Group not found',
  },
  join: { path: '/join', access: 'public', title: 'Join a group', heading: 'Join a group' },
  joinSignedIn: { path: '/groups/join', access: 'signed-in', title: 'Join a group', heading: 'Join a group' },
  appeals: { path: '/admin/appeals', access: 'signed-in', title: 'Answers to review', heading: 'Answers to review' },
  queues: { path: '/admin/queues', access: 'admin', title: 'Queues', heading: 'Queues' },
  shareLinks: { path: '/admin/share-links', access: 'admin', title: 'Share Links', heading: 'Share Links' },
  technologies: {
    path: '/technologies',
    access: 'admin',
    title: 'Manage Technologies',
    heading: 'Manage Technologies',
  },
  newSet: { path: '/new', access: 'admin', title: 'Add Interview Set', heading: 'Add Interview Set' },
  manageSets: {
    path: '/admin/sets',
    access: 'admin',
    title: 'Manage Interview Sets',
    heading: 'Manage Interview Sets',
  },
  editSet: {
    path: '/edit/:id',
    address: ({ interviewSetId }) => `/edit/${interviewSetId}`,
    access: 'admin',
    title: `Edit ${sampleSets.interview}`,
    heading: 'Edit Interview Set',
  },
  practiceAdmin: { path: '/admin/practice', access: 'admin', title: 'Practice Sets', heading: 'Practice Sets' },
  technologySelection: {
    path: '/technology-selection',
    access: 'public',
    title: 'Choose technologies',
    heading: 'Choose your technologies',
  },
  payment: { path: '/payment', access: 'public', title: 'Choose a plan', heading: 'Choose your plan' },
  signInCallback: { path: '/sign-in/callback', access: 'public', title: 'Login', heading: 'Sign in again' },
  lti: { path: '/lti', access: 'public', title: 'Open an activity', heading: 'Open it from your course' },
  ltiLink: { path: '/lti/link', access: 'signed-in', title: 'Link your course', heading: 'Link your course' },
  ltiChoose: {
    path: '/lti/choose',
    access: 'signed-in',
    title: 'Choose an assignment',
    heading: 'Choose an assignment',
  },
  forgotPassword: {
    path: '/forgot-password',
    access: 'public',
    title: 'Forgot password',
    heading: 'Forgot your password?',
  },
  resetPassword: { path: '/reset-password', access: 'public', title: 'Reset password', heading: 'Reset password' },
  changePassword: {
    path: '/change-password',
    access: 'signed-in',
    title: 'Change password',
    heading: 'Change Password',
  },
  profile: { path: '/profile', access: 'signed-in', title: 'My Profile', heading: 'My Profile' },
  security: {
    path: '/security',
    access: 'signed-in',
    title: 'Sign-in and Security',
    heading: 'Sign-in and Security',
  },
  transcribe: {
    path: '/transcribe',
    access: 'signed-in',
    title: 'Transcription demo',
    heading: 'Transcription demo',
  },
};

/** A row's URL, with a role's samples. */
export function addressOf({ path, address }: Place, samples: Samples): string {
  return address?.(samples) ?? path;
}
