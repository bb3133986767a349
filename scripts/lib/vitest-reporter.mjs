import { failureOf, fileTimes, pathInRepository, writeReport } from './report.mjs'

/**
 * Writes what `npm test` summarizes. Vitest's JSON report leaves out errors of a `describe`'s hooks and those outside any
 * test.
 */
export default class VitestReporter {
  /** When each test that is running now began. @type {Map<import('vitest/node').TestCase, number>} */
  #running = new Map()

  /** A run that hangs may be ended from outside before it can report a failure, so that its output must say where. */
  onInit() {
    const report = () => {
      for (const [test, startedMs] of this.#running) {
        const minutes = Math.floor((performance.now() - startedMs) / 60_000)
        if (minutes > 0) console.log(`Running for ${minutes} min: ${failure(test).test}`)
      }
    }
    setInterval(report, 60_000).unref()
  }

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseReady(test) {
    this.#running.set(test, performance.now())
  }

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    this.#running.delete(test)
  }

  /** Vitest drops some results of tests that end at once. @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    for (const test of module.children.allTests()) this.#running.delete(test)
  }

  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly { message?: string }[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()])
    /** @param {'passed' | 'failed' | 'skipped'} state */
    const inState = (state) => tests.filter((test) => test.result().state === state)
    const flaky = inState('passed').filter((test) => test.diagnostic()?.flaky)
    const broken = suites.filter((suite) => suite.errors().length > 0)
    writeReport({
      passed: inState('passed').length,
      failed: inState('failed').length + broken.length,
      skipped: inState('skipped').length,
      failures: [
        ...inState('failed').map((test) => failure(test, test.result().errors)),
        ...broken.map((suite) => failure(suite, suite.errors())),
        ...unhandledErrors.map((error) => failureOf({ titles: ['outside a test'], error })),
      ],
      flaky: flaky.map((test) => failure(test, test.result().errors)),
      openedScreens: openedScreens(modules),
      files: fileTimes(modules.map((module) => ({ file: module.moduleId, ms: durationMs(module.diagnostic()) }))),
    })
  }
}

/**
 * The screens that the tests of each file opened, which `packages/console/test/opened-screens.ts` reports.
 * @param {readonly import('vitest/node').TestModule[]} modules
 * @returns {import('./opened-screens.mjs').Observation[] | undefined}
 */
function openedScreens(modules) {
  const observations = modules.flatMap((module) => {
    const tests = [...module.children.allTests()]
    const opened = tests.flatMap((test) => {
      const meta = /** @type {{ openedScreens?: string[] }} */ (test.meta())
      return meta.openedScreens ? [meta.openedScreens] : []
    })
    if (opened.length === 0) return []
    const isComplete = tests.every((test) => test.result().state === 'passed')
    return [{ file: pathInRepository(module.moduleId), screens: opened.flat(), isComplete }]
  })
  return observations.length > 0 ? observations : undefined
}

/**
 * How long a test file kept its worker busy.
 * @param {ReturnType<import('vitest/node').TestModule['diagnostic']>} diagnostic
 */
const durationMs = ({ environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration }) =>
  environmentSetupDuration + prepareDuration + setupDuration + collectDuration + duration

/**
 * @param {import('vitest/node').TestModule | import('vitest/node').TestSuite | import('vitest/node').TestCase} task
 * @param {readonly import('vitest').TestError[]} [errors]
 */
function failure(task, [error] = []) {
  const file = (task.type === 'module' ? task : task.module).moduleId
  const line = error?.stacks?.find((frame) => frame.file === file)?.line
  return failureOf({ file, line, titles: task.type === 'module' ? [] : task.fullName.split(' > '), error })
}
