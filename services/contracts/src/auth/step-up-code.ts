/** The code of a refusal that a fresh sign-in lifts, see `stepUp` in account-security. */
export const stepUpCode = 'step_up_required';
