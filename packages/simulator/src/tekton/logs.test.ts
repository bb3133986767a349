import { parseScanLog } from '@slipway/model/vulnerabilities/scan-reports'
import { expect, it } from 'vitest'
import { catalogTask, worldOf } from '../../test/tekton'
import type { LogLine } from './logs'
import { logLinesOf } from './logs'
import type { Outcome } from './outcome'
import { planOf } from './plan'

function logOf(
  definition: string,
  stepName: string,
  outcome?: Outcome,
  params: Record<string, string> = {},
): LogLine[] {
  const { run, taskRun } = catalogTask(definition, outcome, params)
  const plan = planOf(taskRun, run, worldOf())
  const step = plan.steps.find(({ name }) => name === stepName)
  if (!step) throw new Error(`no step ${stepName}`)
  const lines = [...logLinesOf(taskRun, plan, step, worldOf())]
  for (const { atMs } of lines) {
    expect(atMs).toBeGreaterThanOrEqual(step.startMs)
    expect(atMs).toBeLessThanOrEqual(step.endMs)
  }
  return lines
}
const textOf = (lines: LogLine[]) => lines.map(({ text }) => text)
const build = {
  IMAGE: 'registry.slipway.test/payments/checkout-api:1',
  SOURCE_URL: 'https://git.slipway.test/payments/checkout-api',
}

it('the log of a build has steps, groups, colours and progress bars', () => {
  const text = textOf(logOf('buildah-oci-ta', 'build', 'success', build))
  expect(text.filter((line) => /^STEP \d+\/11:/.test(line))).toHaveLength(11)
  expect(text.filter((line) => line.startsWith('::group::'))).toHaveLength(3)
  expect(text.filter((line) => line === '::endgroup::')).toHaveLength(3)
  expect(text.join('\n')).toContain('\u001b[')
  expect(text.some((line) => line.split('\r').length > 10)).toBe(true)
  expect(text.every((line) => !line.includes('\n'))).toBe(true)
})

it('the log of a failed build ends with a stack trace in the language of the project', () => {
  const traces = Array.from({ length: 12 }, (_, index) =>
    textOf(
      logOf('buildah', 'build', 'fail', { ...build, SOURCE_URL: `https://git.slipway.test/payments/service-${index}` }),
    ),
  )
  for (const text of traces) expect(text.at(-1)).toContain('exit status 1')
  const all = traces.flat().join('\n')
  for (const sign of [
    'node:internal',
    'Traceback (most recent call last):',
    'goroutine 1 [running]:',
    'Caused by: java',
  ]) {
    expect(all).toContain(sign)
  }
})

it('uses the same language for all tasks of a project', () => {
  const source = 'https://git.slipway.test/payments/service-7'
  const languages = [1, 2].map(() =>
    textOf(logOf('buildah', 'build', 'success', { SOURCE_URL: source })).find((line) => line.startsWith('STEP 1/')),
  )
  expect(new Set(languages).size).toBe(1)
})

it('the log of a step that runs out of memory ends with that error', () => {
  expect(textOf(logOf('buildah', 'build', 'oom', build)).at(-1)).toContain('out of memory')
})

it('skipped steps and pods that never ran have empty logs', () => {
  expect(logOf('buildah', 'push', 'fail', build)).toEqual([])
  expect(logOf('buildah', 'build', 'image-pull', build)).toEqual([])
})

it('the log of a step that hangs stops after a while', () => {
  const lines = logOf('buildah', 'build', 'timeout', build)
  expect(lines.length).toBeGreaterThan(10)
  expect(lines.at(-1)?.atMs).toBeLessThan(60_000)
})

it('a log of 50,000 lines is generated lazily', () => {
  const { run, taskRun } = catalogTask('unit-tests', 'long-log')
  const plan = planOf(taskRun, run, worldOf())
  const step = plan.steps[1]
  if (!step) throw new Error('no step')
  const lines = logLinesOf(taskRun, plan, step, worldOf())[Symbol.iterator]()
  let count = 0
  for (let next = lines.next(); !next.done; next = lines.next()) count++
  expect(count).toBeGreaterThan(50_000)
})

it('prints an SBOM in one very long line', () => {
  const [line] = logOf('show-sbom', 'show-sbom', 'success', { IMAGE_URL: build.IMAGE })
  expect(line?.text.length).toBeGreaterThan(90_000)
  expect(JSON.parse(line?.text ?? '')).toMatchObject({ spdxVersion: 'SPDX-2.3', name: build.IMAGE })
})

it.each<[Outcome, string]>([
  ['success', 'SUCCESS'],
  ['warning', 'WARNING'],
  ['failure', 'FAILURE'],
  ['skipped', 'SKIPPED'],
])('the policy report has the counts of the test output: %s', (outcome, verdict) => {
  const { run, taskRun } = catalogTask('verify-enterprise-contract', outcome)
  const output = JSON.parse(String(planOf(taskRun, run, worldOf()).results[0]?.value)) as Record<string, unknown>
  const report = JSON.parse(textOf(logOf('verify-enterprise-contract', 'report-json', outcome)).join('\n')) as {
    success: boolean
    components: { name: string; violations?: unknown[]; warnings?: unknown[]; successes?: unknown[] }[]
  }
  const count = (kind: 'violations' | 'warnings' | 'successes') =>
    report.components.reduce((sum, component) => sum + (component[kind]?.length ?? 0), 0)
  expect(output).toMatchObject({
    result: verdict,
    failures: count('violations'),
    warnings: count('warnings'),
    successes: count('successes'),
  })
  expect(report.success).toBe(verdict !== 'FAILURE')
  expect(report.components.map(({ name }) => name)).toEqual(['checkout-api', 'checkout-web'])
})

it.each<[Outcome, 'warnings' | 'violations', boolean]>([
  ['warning', 'warnings', true],
  ['failure', 'violations', false],
])(
  'a rule that only warns fails from a day of the next week, and a violated one did before: %s',
  (outcome, kind, isLater) => {
    const report = JSON.parse(textOf(logOf('verify-enterprise-contract', 'report-json', outcome)).join('\n')) as {
      components: Record<typeof kind, { metadata: { effective_on: string } }[] | undefined>[]
      'effective-time': string
    }
    const daysLeft = report.components
      .flatMap((component) => component[kind] ?? [])
      .map(({ metadata }) => (Date.parse(metadata.effective_on) - Date.parse(report['effective-time'])) / 86_400_000)
    expect(daysLeft.length).toBeGreaterThan(0)
    for (const days of daysLeft) expect(days > 0).toBe(isLater)
    for (const days of daysLeft) expect(days).toBeLessThanOrEqual(7)
  },
)

it.each([
  ['clair-scan', 'SCAN_OUTPUT'],
  ['clair-scan-legacy', 'CLAIR_SCAN_RESULT'],
  ['cve-scan', 'CVE_SCAN_RESULT'],
  ['tekton-image-scan', 'TEKTON_SCAN_RESULTS'],
])('the report of %s names as many vulnerabilities as its result counts', (definition, name) => {
  const params = { 'image-url': build.IMAGE }
  const { vulnerabilities, ...log } = parseScanLog(
    textOf(logOf(definition, 'get-vulnerabilities', 'vulnerable', params)).join('\n'),
  )
  expect(log).toEqual({ reportCount: 1, brokenReportCount: 0, unreadableCount: 0 })
  const { run, taskRun } = catalogTask(definition, 'vulnerable', params)
  const { results } = planOf(taskRun, run, worldOf())
  const counts = JSON.parse(String(results.find((result) => result.name === name)?.value)) as {
    vulnerabilities: { critical: number }
    unpatched_vulnerabilities: { critical: number }
  }
  const critical = vulnerabilities.filter(({ severity }) => severity === 'Critical')
  expect(critical.filter(({ fixedIn }) => fixedIn)).toHaveLength(counts.vulnerabilities.critical)
  expect(critical.filter(({ fixedIn }) => !fixedIn)).toHaveLength(counts.unpatched_vulnerabilities.critical)
})
