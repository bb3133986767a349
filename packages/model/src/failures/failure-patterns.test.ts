import { describe, expect, it, test } from 'vitest'
import { groupBy } from '../grouping'
import { labels } from '../labels'
import { aPipelineRun, condition } from '../testing'
import { aFailureCorpus, familyNames } from '../testing/failure-corpus'
import { failureClassOf, type FailureEvidence } from './failure-class'
import { fingerprintOf, withoutParticulars } from './failure-fingerprint'
import { flakeScores, type KnownFailure, patternsOf, recentFailures } from './failure-patterns'

const evidenceOf = (errorLine: string, over: Partial<FailureEvidence> = {}): FailureEvidence => ({
  task: 'build',
  message: 'it exited with code 1',
  lines: [errorLine],
  errorLine,
  ...over,
})

describe('200 failures of 20 families', () => {
  const corpus = aFailureCorpus(42, 200).map((each) => ({ ...each, found: fingerprintOf(each.evidence) }))
  const clusters = [...groupBy(corpus, ({ found }) => found.id).values()]
  const mostFrequent = (names: readonly string[]) =>
    Math.max(...[...groupBy(names, (name) => name).values()].map(({ length }) => length))
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

  it('are in clusters of one family each: the purity is at least 0.95', () => {
    expect(familyNames).toHaveLength(20)
    const purity = sum(clusters.map((cluster) => mostFrequent(cluster.map(({ family }) => family)))) / corpus.length
    expect(purity).toBeGreaterThanOrEqual(0.95)
  })

  it('are not torn apart: at least 95 % are in the largest cluster of their family', () => {
    const byFamily = [...groupBy(corpus, ({ family }) => family).values()]
    const together = sum(byFamily.map((own) => mostFrequent(own.map(({ found }) => found.id)))) / corpus.length
    expect(together).toBeGreaterThanOrEqual(0.95)
  })

  it('have the class of their family, in at least 95 %', () => {
    const right = corpus.filter((each) => each.found.class === each.class)
    expect(right.length / corpus.length).toBeGreaterThanOrEqual(0.95)
  })

  it('have the same fingerprints each time', () => {
    expect(aFailureCorpus(42, 200).map(({ evidence }) => fingerprintOf(evidence))).toEqual(
      corpus.map(({ found }) => found),
    )
  })
})

test.each<[string, FailureEvidence]>([
  ['Policy', evidenceOf('Error: toomanyrequests', { isVerification: true })],
  ['Registry', evidenceOf('Error: pinging container registry quay.io: 503 Service Unavailable')],
  ['Registry', evidenceOf('', { message: 'the step "build" failed: ImagePullBackOff', hasNotStarted: true })],
  ['Infrastructure', evidenceOf('curl: (7) Failed to connect: Connection refused')],
  ['Infrastructure', evidenceOf('anything', { exitReason: 'OOMKilled' })],
  ['Infrastructure', evidenceOf('anything', { hasTimedOut: true })],
  ['Infrastructure', evidenceOf('', { message: 'exceeded quota: compute-build' })],
  ['Test', evidenceOf('anything', { failedTests: ['TestA'] })],
  ['Test', evidenceOf('Tests: 3 failed, 9 passed')],
  ['Code', evidenceOf('src/main.go:3:1: error: undefined: x')],
  ['Code', evidenceOf('')],
])('the class is %s: %o', (expected, evidence) => expect(failureClassOf(evidence)).toBe(expected))

test.each([
  ['error: src/cart/total.go:12:5: undefined', 'error: {path} undefined'],
  ['Get "https://proxy.golang.org/a/b": 503', 'Get {text}: {n}'],
  ['Get https://proxy.golang.org/a/b: 503', 'Get https://proxy.golang.org/{path} {n}'],
  ['pull quay.io/team/api:1.2 failed', 'pull {image} failed'],
])('%s is the same failure as every %s', (line, expected) => expect(withoutParticulars(line)).toBe(expected))

test.each<[string, FailureEvidence, FailureEvidence, boolean]>([
  ['an outage in two tasks', evidenceOf('i/o timeout'), evidenceOf('i/o timeout', { task: 'push' }), true],
  ['an error of two tasks', evidenceOf('error: x'), evidenceOf('error: x', { task: 'push' }), false],
  ['two tests', evidenceOf('x', { failedTests: ['A'] }), evidenceOf('x', { failedTests: ['B'] }), false],
  [
    'what stands before a line that only says that a program has failed',
    evidenceOf('Error: exit status 1', { lines: ['error: no rule', 'Error: exit status 1'] }),
    evidenceOf('Error: exit status 1', { lines: ['error: no file', 'Error: exit status 1'] }),
    false,
  ],
])('%s: the same failure is %s', (_, a, b, isSame) => {
  expect(fingerprintOf(a).id === fingerprintOf(b).id).toBe(isSame)
})

interface RunOf {
  minute: number
  status: 'True' | 'False' | 'Unknown'
  component?: string
  commit?: string
}

const aRun = (name: string, { minute, status, component = 'api', commit = 'a' }: RunOf) =>
  aPipelineRun({
    metadata: { name, uid: name, labels: { [labels.component]: component, [labels.commitSha]: commit.repeat(40) } },
    status: { startTime: `2026-01-31T09:${minute}:00Z`, conditions: [condition('Succeeded', status)] },
  })

const failureOf = (run: ReturnType<typeof aRun>, line: string, task = 'build'): KnownFailure => {
  const evidence = evidenceOf(line, { task })
  return { run, evidence, fingerprint: fingerprintOf(evidence) }
}

describe('patterns', () => {
  const red = aRun('red', { minute: 10, status: 'False' })
  const again = aRun('again', { minute: 20, status: 'True' })
  const web = aRun('web', { minute: 15, status: 'False', component: 'web' })
  const webAgain = aRun('web-again', { minute: 25, status: 'False', component: 'web' })
  const other = aRun('other', { minute: 30, status: 'False', component: 'worker', commit: 'b' })
  const runs = [red, again, web, webAgain, other]
  const failures = [
    failureOf(red, 'connection refused'),
    failureOf(web, 'connection refused', 'push'),
    failureOf(webAgain, 'connection refused', 'push'),
    failureOf(other, 'error: no rule'),
  ]

  it('say how often, where, since when and with what outcome of a retry', () => {
    const [first, second, ...more] = patternsOf(failures, runs)
    expect(more).toEqual([])
    expect(first).toMatchObject({
      class: 'Infrastructure',
      title: 'connection refused',
      tasks: ['build', 'push'],
      components: ['api', 'web'],
      firstSeen: '2026-01-31T09:10:00Z',
      lastSeen: '2026-01-31T09:25:00Z',
      retries: { retried: 2, passed: 1 },
    })
    expect(first?.failures.map(({ run }) => run.metadata.name)).toEqual(['web-again', 'web', 'red'])
    expect(second).toMatchObject({ class: 'Code', components: ['worker'], retries: { retried: 0, passed: 0 } })
  })

  it('do not depend on the order in which the failures were read', () => {
    const ids = (known: KnownFailure[]) => patternsOf(known, runs).map(({ id, failures: own }) => [id, own.length])
    expect(ids([...failures].reverse())).toEqual(ids(failures))
  })

  it('count flips of a task between runs of one commit', () => {
    expect(flakeScores(failures, runs)).toEqual([
      { task: 'build', pairs: 1, flips: 1, components: ['api'] },
      { task: 'push', pairs: 1, flips: 0, components: ['web'] },
    ])
  })

  it('do not count runs that failed in another task, or have not ended', () => {
    const running = aRun('running', { minute: 40, status: 'Unknown' })
    const elsewhere = aRun('elsewhere', { minute: 12, status: 'False' })
    const known = [failureOf(red, 'error: x'), failureOf(elsewhere, 'error: y', 'lint')]
    expect(flakeScores(known, [red, elsewhere, running])).toEqual([])
  })
})

test('recent failures are those of the last seven days, newest first', () => {
  const nowMs = Date.parse('2026-02-07T09:15:00Z')
  const runs = [
    aRun('old', { minute: 14, status: 'False' }),
    aRun('just', { minute: 15, status: 'False' }),
    aRun('new', { minute: 16, status: 'False' }),
    aRun('green', { minute: 17, status: 'True' }),
  ]
  expect(recentFailures(runs, nowMs).map(({ metadata }) => metadata.name)).toEqual(['new', 'just'])
})
