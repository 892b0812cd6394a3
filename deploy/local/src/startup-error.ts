/** A failed start that the person at the terminal can fix. The message is one sentence that says how. */
export class StartupError extends Error {}
