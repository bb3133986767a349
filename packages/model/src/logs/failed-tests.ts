import type { LogLines } from './log-lines'

/** A test that a log names as failed. */
export interface FailedTest {
  name: string
  /** Line number for users, starting at 1. */
  line: number
}

/** How test runners report a test that has failed; the first group is its name. */
const reports = [
  // Go: `--- FAIL: TestRefund/twice (0.02s)`.
  /^\s*--- FAIL: (\S+)/,
  // pytest, in its summary: `FAILED tests/test_refund.py::test_twice[eur] - AssertionError`.
  /^(?:FAILED|ERROR) (\S+::.+?)(?: - .*)?$/,
  // Jest, Vitest, Playwright: `✕ refunds twice (12 ms)`; Mocha and others use similar signs.
  /^\s*[✕✗✘✖×] {1,3}(\S.*?)(?: \(?\d+(?:\.\d+)? ?m?s\)?)?$/u,
  // Test Anything Protocol: `not ok 3 - refunds twice`.
  /^\s*not ok \d+(?: -)? (?!.*# (?:TODO|SKIP)\b)(\S.*)$/i,
  // Surefire: `[ERROR] RefundTest.twice:88 » IllegalState`, and `RefundTest.twice -- Time elapsed: 1 s <<< FAILURE!`.
  /^\[ERROR\]\s+([\w$.]+\.\w+)(?::\d+\b| -- Time elapsed: .* <<< (?:FAILURE|ERROR)!)/,
  // GoogleTest: `[  FAILED  ] Refund.Twice (3 ms)`.
  /^\[ {2}FAILED {2}\] ([\w/]+\.[\w/]+)/,
  // Rust: `test refund::twice ... FAILED`.
  /^test (\S+) \.\.\. FAILED$/,
]

/** Longer lines are data. */
const longestReport = 1_000

/** The name of the test that a line reports as failed. */
function failedTestIn(text: string): string | undefined {
  if (text.length > longestReport) return undefined
  for (const report of reports) {
    const name = report.exec(text)?.[1]
    if (name) return name
  }
  return undefined
}

/** The tests that a log reports as failed, in its order, each at the line that names it first. */
export function failedTestsIn(log: LogLines): FailedTest[] {
  const lines = new Map<string, number>()
  for (let line = 0; line < log.count; line++) {
    const name = failedTestIn(log.text(line))
    if (name && !lines.has(name)) lines.set(name, line + 1)
  }
  return [...lines].map(([name, line]) => ({ name, line }))
}
