/** The error code of requests that require a fresh sign-in, see `stepUp` in account-security. */
export const stepUpCode = 'step_up_required';
