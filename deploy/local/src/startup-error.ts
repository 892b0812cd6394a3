/** A failed start that the user can fix. The message is one sentence that says how. */
export class StartupError extends Error {}
