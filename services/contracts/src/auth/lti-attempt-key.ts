/** Where a window keeps the secret of its launch: the login page stores it, and the web app takes it. */
export const ltiAttemptKey = 'lti-attempt';
