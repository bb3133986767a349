/** A problem that the user at the terminal can fix. The message says what is wrong and what to do. */
export class StartError extends Error {}
