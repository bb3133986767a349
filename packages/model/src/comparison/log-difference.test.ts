import { expect, test } from 'vitest'
import { withoutNoise } from '../logs/log-noise'
import { logDifference } from './log-difference'

test.each([
  ['2026-01-31T09:00:00.123Z step began', '{time} step began'],
  ['2026/01/31 09:00:00 pushing', '{time} pushing'],
  ['E0131 09:00:00.000000 7 main.go:3] failed', '{time} 7 main.go:3] failed'],
  ['STEP 3/9: RUN make', 'STEP 3/9: RUN make'],
  ['done in 12.3s, 45 MiB, 99%', 'done in {n}s, {n} MiB, {n}%'],
  ['commit 0123456789abcdef0123456789abcdef01234567', 'commit {hash}'],
  [`pushed sha256:${'0a'.repeat(32)}`, 'pushed {hash}'],
  ['the facade is defaced', 'the facade is defaced'],
  ['request 123e4567-e89b-12d3-a456-426614174000', 'request {id}'],
  ['pod checkout-api-on-push-x4k2p-build-pod', 'pod checkout-api-on-push-{name}-build-pod'],
  ['wrote /tmp/tmp.Xy12/file', 'wrote /tmp/{file}/file'],
  ['go 1.22 is required', 'go 1.22 is required'],
  ['exit status 137', 'exit status 137'],
])('%s is compared as: %s', (line, expected) => expect(withoutNoise(line)).toBe(expected))

test('the lines that only one log has are those that differ in more than noise', () => {
  const before = ['09:00:01 start', '', '\u001b[32mmodule a ok\u001b[0m', 'module b ok', 'built in 3s']
  const after = ['10:00:01 start', 'module b ok', 'module a ok', '', 'error: module c not found', '']
  expect(logDifference(before.join('\n'), after.join('\n'))).toEqual({
    before: [{ number: 5, text: 'built in 3s' }],
    after: [{ number: 5, text: 'error: module c not found' }],
    beforeCount: 1,
    afterCount: 1,
  })
})

test('swapping two logs swaps their lines', () => {
  const [a, b] = ['x\ny 1 s\n', 'y 2 s\nz\n'] as const
  const there = logDifference(a, b)
  expect(logDifference(b, a)).toEqual({
    before: there.after,
    after: there.before,
    beforeCount: there.afterCount,
    afterCount: there.beforeCount,
  })
})

test('of a log with nothing in common, only the first lines are returned, and all are counted', () => {
  const lines = Array.from({ length: 500 }, (_, index) => `only here ${index}`)
  const { after, afterCount } = logDifference('', lines.join('\n'))
  expect([after.length, afterCount]).toEqual([20, 500])
})
