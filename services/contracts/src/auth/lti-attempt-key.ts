/** The session storage key of a launch's secret: the login page writes it, and the web app reads and removes it. */
export const ltiAttemptKey = 'lti-attempt';
