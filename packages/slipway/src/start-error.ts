/** Something the person at the terminal can put right: one sentence that says what is wrong and how. */
export class StartError extends Error {}
