import { failureOf, fileTimes, writeReport } from './report.mjs'

/** Writes what `npm test` summarizes. */
export default class PlaywrightReporter {
  /** @type {import('./steps.mjs').Failure[]} */
  errors = []

  /** @type {import('@playwright/test/reporter').TestCase[]} */
  tests = []

  printsToStdio() {
    return false // so that Playwright does not replace the list
  }

  /**
   * @param {import('@playwright/test/reporter').FullConfig} _
   * @param {import('@playwright/test/reporter').Suite} suite
   */
  onBegin(_, suite) {
    this.tests = suite.allTests()
  }

  /** An error outside any test. @param {import('@playwright/test/reporter').TestError} error */
  onError(error) {
    const { file, line } = error.location ?? {}
    this.errors.push(failureOf({ file, line, error }))
  }

  onEnd() {
    /** @param {ReturnType<import('@playwright/test/reporter').TestCase['outcome']>} outcome */
    const withOutcome = (outcome) => this.tests.filter((test) => test.outcome() === outcome)
    writeReport({
      passed: withOutcome('expected').length + withOutcome('flaky').length,
      failed: withOutcome('unexpected').length,
      skipped: withOutcome('skipped').length,
      failures: [...withOutcome('unexpected').map(failure), ...this.errors],
      flaky: withOutcome('flaky').map(failure),
      files: fileTimes(
        this.tests.map(({ location, results }) => ({
          file: location.file,
          ms: results.reduce((sum, { duration }) => sum + duration, 0),
        })),
      ),
    })
  }
}

/** @param {import('@playwright/test/reporter').TestCase} test */
function failure(test) {
  const error = test.results.flatMap((result) => result.errors)[0]
  const [, , , ...titles] = test.titlePath() // without the root, the project and the file
  const { file, line } = test.location
  return failureOf({ file, line: error?.location?.file === file ? error.location.line : line, titles, error })
}
