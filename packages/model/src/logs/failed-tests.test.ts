import { expect, it, test } from 'vitest'
import { failedTestsIn } from './failed-tests'
import { createLogLines } from './log-lines'

function namesIn(...lines: string[]) {
  const log = createLogLines()
  log.reset(false)
  log.append(lines)
  return failedTestsIn(log).map(({ name }) => name)
}

test.each<[string, string, string | undefined]>([
  ['Go', '    --- FAIL: TestRefund/twice (0.02s)', 'TestRefund/twice'],
  ['Go, passed', '--- PASS: TestRefund (0.02s)', undefined],
  [
    'pytest',
    'FAILED tests/test_refund.py::test_twice[eur] - AssertionError: 1 != 2',
    'tests/test_refund.py::test_twice[eur]',
  ],
  ['pytest, a setup', 'ERROR tests/test_refund.py::test_twice', 'tests/test_refund.py::test_twice'],
  ['pytest, a heading', 'FAILED (failures=1)', undefined],
  ['Jest', '    ✕ refunds twice (12 ms)', 'refunds twice'],
  ['Jest, passed', '    ✓ refunds twice (12 ms)', undefined],
  ['Vitest', '   × refunds > twice 12ms', 'refunds > twice'],
  ['Playwright', '  ✘  1 [chromium] › refund.spec.ts:3:1 › twice (1.2s)', '1 [chromium] › refund.spec.ts:3:1 › twice'],
  ['TAP', 'not ok 3 - refunds twice', 'refunds twice'],
  ['TAP, known to fail', 'not ok 3 - refunds twice # TODO later', undefined],
  ['TAP, passed', 'ok 3 - refunds twice', undefined],
  ['Surefire', '[ERROR] RefundTest.twice:88 » IllegalState Ledger is closed', 'RefundTest.twice'],
  [
    'Surefire, as it runs',
    '[ERROR] com.example.RefundTest.twice -- Time elapsed: 1.2 s <<< FAILURE!',
    'com.example.RefundTest.twice',
  ],
  ['Surefire, the goal', '[ERROR] Failed to execute goal surefire:3.5.3:test (default-test)', undefined],
  ['GoogleTest', '[  FAILED  ] Refund.Twice (3 ms)', 'Refund.Twice'],
  ['GoogleTest, the count', '[  FAILED  ] 1 test, listed below:', undefined],
  ['Rust', 'test refund::twice ... FAILED', 'refund::twice'],
  ['a report as data', '{"result":"FAILURE","failures":2}', undefined],
  ['a product of two numbers', '3 × 4 = 12', undefined],
])('a failed test in the log of %s: %s', (_, line, name) => expect(namesIn(line)).toEqual(name ? [name] : []))

it('names each failed test once, at its first line, without colours', () => {
  const log = createLogLines()
  log.reset(false)
  log.append([
    'start',
    '\u001b[31m--- FAIL: TestA (0.00s)\u001b[0m',
    '--- FAIL: TestB (0.00s)',
    '--- FAIL: TestA (0.01s)',
  ])
  expect(failedTestsIn(log)).toEqual([
    { name: 'TestA', line: 2 },
    { name: 'TestB', line: 3 },
  ])
})

it('ignores a line that is too long to be a report', () => {
  expect(namesIn(`--- FAIL: ${'x'.repeat(1_000)}`)).toEqual([])
})
