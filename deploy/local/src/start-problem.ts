/** Something that the person at the terminal can put right; its message is one sentence that says how. */
export class StartProblem extends Error {}
