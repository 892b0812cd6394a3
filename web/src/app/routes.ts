import type { User } from '@interview-prep/contracts/auth/users';
import type { ComponentType } from 'react';
import { historyPageSize, homeRequests, shownSets } from '../lib/api/first-requests.ts';
import { type RouteRequest, routeRequest } from '../lib/api/route-request.ts';
import { paths } from '../lib/paths.ts';

/** A screen's access. Visitors get the login screen except on `public`; non-admins are redirected home from `admin`. */
export type ScreenAccess = 'public' | 'signed-in' | 'admin';

export interface ScreenRoute {
  path: string;
  access: ScreenAccess;
  /** The page title until the screen sets its own. */
  title: string;
  /** The label of its navigation button, if any. Buttons follow the order of this table. */
  nav?: string;
  /** Loads the screen: a module whose default export is the component. */
  load: () => Promise<{ default: ComponentType }>;
  /** The screen's first requests, for common entry pages: sent while the code loads. */
  requests?: (user: User) => Iterable<RouteRequest>;
}

const historyScreens = () => import('../features/history/list/history-screen.tsx');
const detailScreens = () => import('../features/history/detail/detail-screen.tsx');

/** All screens. Source: product specification, section 2. */
export const screenRoutes: readonly ScreenRoute[] = [
  {
    path: paths.home,
    access: 'signed-in',
    title: 'Interview Sets',
    load: () => import('./home-screen.tsx'),
    requests: ({ email }) => homeRequests(email),
  },
  {
    path: paths.interview(':id'),
    access: 'signed-in',
    title: 'Interview',
    load: () => import('../features/answering/interview/interview-screen.tsx'),
    requests: () => [routeRequest('listInterviewSets', shownSets)],
  },
  {
    path: paths.review,
    access: 'signed-in',
    title: 'Review',
    load: () => import('../features/answering/interview/review-screen.tsx'),
  },
  {
    path: paths.interviews,
    access: 'signed-in',
    title: 'Interview History',
    nav: 'Interview History',
    load: () => historyScreens().then(({ InterviewHistoryScreen }) => ({ default: InterviewHistoryScreen })),
    requests: () => [routeRequest('interviewHistory', { limit: historyPageSize })],
  },
  {
    path: paths.interviewDetail(':interviewId'),
    access: 'signed-in',
    title: 'Interview',
    load: () => detailScreens().then(({ InterviewDetailScreen }) => ({ default: InterviewDetailScreen })),
  },
  {
    path: paths.takes(':interviewId', ':number'),
    access: 'signed-in',
    title: 'Takes',
    load: () => import('../features/history/takes/takes-comparison.tsx'),
  },
  {
    path: paths.progress,
    access: 'signed-in',
    title: 'My Progress',
    load: () => import('../features/progress/progress-screen.tsx'),
  },
  {
    path: paths.practice,
    access: 'signed-in',
    title: 'Practice Interview',
    nav: 'Practice Interview',
    load: () => import('../features/practice-sets/practice-screen.tsx'),
  },
  {
    path: `${paths.practiceSession(':setId')}?`,
    access: 'signed-in',
    title: 'Practice session',
    load: () => import('../features/answering/practice/practice-session-screen.tsx'),
  },
  {
    path: paths.practiceInterviews,
    access: 'signed-in',
    title: 'Practice History',
    nav: 'Practice History',
    load: () => historyScreens().then(({ PracticeHistoryScreen }) => ({ default: PracticeHistoryScreen })),
  },
  {
    path: paths.practiceDetail(':practiceId'),
    access: 'signed-in',
    title: 'Practice session',
    load: () => detailScreens().then(({ PracticeDetailScreen }) => ({ default: PracticeDetailScreen })),
  },
  {
    path: paths.users,
    access: 'admin',
    title: 'Manage Users',
    nav: 'Manage Users',
    load: () => import('../features/admin/users/users-screen.tsx'),
  },
  {
    path: paths.audit,
    access: 'admin',
    title: 'Audit Log',
    load: () => import('../features/admin/audit/audit-screen.tsx'),
  },
  {
    path: paths.shareLinks,
    access: 'admin',
    title: 'Share Links',
    load: () => import('../features/admin/share-links/share-links-screen.tsx'),
  },
  {
    path: paths.shared,
    access: 'public',
    title: 'Shared interview',
    load: () => import('../features/history/share/shared-interview-view.tsx'),
  },
  {
    path: paths.integrations,
    access: 'signed-in',
    title: 'Integrations',
    load: () => import('../features/admin/integrations/integrations-screen.tsx'),
  },
  {
    path: paths.groups,
    access: 'signed-in',
    title: 'Groups',
    load: () => import('../features/admin/groups/groups-screen.tsx'),
  },
  {
    path: paths.join,
    access: 'public',
    title: 'Join a group',
    load: () => import('../features/account/join-group-screen.tsx'),
  },
  {
    path: paths.joinSignedIn,
    access: 'signed-in',
    title: 'Join a group',
    load: () => import('../features/account/join-group-screen.tsx'),
  },
  {
    path: paths.group(':id'),
    access: 'signed-in',
    title: 'Group',
    load: () => import('../features/admin/groups/group-screen.tsx'),
  },
  {
    path: paths.roster(':id', ':assignmentId'),
    access: 'signed-in',
    title: 'Roster',
    load: () => import('../features/admin/groups/roster-screen.tsx'),
  },
  {
    path: paths.rosterQuestions(':id', ':assignmentId'),
    access: 'signed-in',
    title: 'Questions',
    load: () => import('../features/admin/groups/questions-screen.tsx'),
  },
  {
    path: paths.rosterReport(':id', ':assignmentId'),
    access: 'signed-in',
    title: 'Report',
    load: () => import('../features/admin/groups/report-screen.tsx'),
  },
  {
    path: paths.memberReport(':id', ':assignmentId', ':userId'),
    access: 'signed-in',
    title: 'Report',
    load: () => import('../features/admin/groups/member-report-screen.tsx'),
  },
  {
    path: paths.appeals,
    access: 'signed-in',
    title: 'Answers to review',
    load: () => import('../features/history/appeals-screen.tsx'),
  },
  {
    path: paths.queues,
    access: 'admin',
    title: 'Queues',
    load: () => import('../features/admin/queues/queues-screen.tsx'),
  },
  {
    path: paths.technologies,
    access: 'admin',
    title: 'Manage Technologies',
    nav: 'Manage Technologies',
    load: () => import('../features/admin/technologies/technologies-screen.tsx'),
  },
  {
    path: paths.newSet,
    access: 'admin',
    title: 'Add Interview Set',
    nav: 'Add Interview Set',
    load: () => import('../features/admin/interview-sets/new-interview-set-screen.tsx'),
  },
  {
    path: paths.manageSets,
    access: 'admin',
    title: 'Manage Interview Sets',
    load: () => import('../features/admin/interview-sets/manage-interview-sets-screen.tsx'),
  },
  {
    path: paths.editSet(':id'),
    access: 'admin',
    title: 'Edit Interview Set',
    load: () => import('../features/admin/interview-sets/edit-interview-set-screen.tsx'),
  },
  {
    path: paths.practiceAdmin,
    access: 'admin',
    title: 'Practice Sets',
    nav: 'Add Practice Set',
    load: () => import('../features/admin/practice-sets/practice-sets-screen.tsx'),
  },
  {
    path: paths.technologySelection,
    access: 'public',
    title: 'Choose technologies',
    load: () => import('../features/plans/technology-selection-screen.tsx'),
  },
  {
    path: paths.payment,
    access: 'public',
    title: 'Choose a plan',
    load: () => import('../features/plans/payment-screen.tsx'),
  },
  {
    path: paths.signInCallback,
    access: 'public',
    title: 'Login',
    load: () => import('../features/sign-in/sign-in-callback-screen.tsx'),
  },
  {
    path: paths.lti,
    access: 'public',
    title: 'Open an activity',
    load: () => import('../features/sign-in/lti-launch-screen.tsx'),
  },
  {
    path: paths.ltiLink,
    access: 'signed-in',
    title: 'Link your course',
    load: () => import('../features/sign-in/lti-link-screen.tsx'),
  },
  {
    path: paths.ltiChoose,
    access: 'signed-in',
    title: 'Choose an assignment',
    load: () => import('../features/admin/groups/choose-assignment-screen.tsx'),
  },
  {
    path: paths.forgotPassword,
    access: 'public',
    title: 'Forgot password',
    load: () => import('../features/account/forgot-password-screen.tsx'),
  },
  {
    path: paths.resetPassword,
    access: 'public',
    title: 'Reset password',
    load: () => import('../features/account/reset-password-screen.tsx'),
  },
  {
    path: paths.changePassword,
    access: 'signed-in',
    title: 'Change password',
    load: () => import('../features/account/change-password-screen.tsx'),
  },
  {
    path: paths.profile,
    access: 'signed-in',
    title: 'My Profile',
    load: () => import('../features/account/profile-screen.tsx'),
  },
  {
    path: paths.security,
    access: 'signed-in',
    title: 'Sign-in and Security',
    load: () => import('../features/account/security/security-screen.tsx'),
  },
  {
    path: paths.transcribe,
    access: 'signed-in',
    title: 'Transcription demo',
    load: () => import('../features/transcribe/transcribe-screen.tsx'),
  },
];

/** Whether a URL matches a route's path. Works without the router, which hasn't loaded yet. */
export function isAt(path: string, pathname: string): boolean {
  const pattern = path.replace(/\/:\w+\?/g, '(?:/[^/]+)?').replace(/:\w+/g, '[^/]+');
  return new RegExp(`^${pattern}/?$`, 'i').test(pathname);
}

/** The screen at a URL; undefined if there is none. */
export function screenAt(pathname: string): ScreenRoute | undefined {
  return screenRoutes.find(({ path }) => isAt(path, pathname));
}
