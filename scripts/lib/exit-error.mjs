/** A failure whose message contains the remedy; a stack trace would only hide it. */
export class ExitError extends Error {
  /**
   * @param {string} message
   * @param {string} [output] output of a failed tool
   */
  constructor(message, output = '') {
    super(message)
    this.output = output
  }
}

/**
 * Runs a script's main function. A failure is printed as a message on stderr, with exit code 1.
 * @param {() => Promise<unknown>} main
 */
export async function runMain(main) {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof ExitError)) throw error
    if (error.output) process.stderr.write(`${error.output.trimEnd()}\n\n`)
    console.error(error.message)
    process.exitCode = 1
  }
}
