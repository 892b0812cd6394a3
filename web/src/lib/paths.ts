/** Addresses, so that links are written once. Source: product specification, section 2, routes. */
export const paths = {
  home: '/',
  technologySelection: '/technology-selection',
  payment: '/payment',
  newSet: '/new',
  editSet: (id: string) => `/edit/${id}`,
  interview: (setId: string) => `/interview/${setId}`,
  technologies: '/technologies',
  users: '/users',
  interviews: '/interviews',
  interviewDetail: (interviewId: string) => `/interviews/${interviewId}`,
  practiceInterviews: '/practiceInterviews',
  practiceDetail: (practiceId: string) => `/practiceInterviews/${practiceId}`,
  practice: '/practice',
  practiceSession: (setId: string) => `/practice/session/${setId}`,
  practiceAdmin: '/admin/practice',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  changePassword: '/change-password',
  profile: '/profile',
  transcribe: '/transcribe',
} as const;

/** Open to everyone, without the navigation bar. Every other route shows visitors the login screen. */
export const publicPaths: readonly string[] = [
  paths.forgotPassword,
  paths.resetPassword,
  paths.technologySelection,
  paths.payment,
];
