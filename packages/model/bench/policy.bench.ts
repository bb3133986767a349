import { standingOf } from '../src/policy/ignored-vulnerabilities'
import { comparePolicy } from '../src/policy/policy-changes'
import { byComponent, byRule, latestFindings } from '../src/policy/policy-checks'
import { type KnownPolicy, policyDates } from '../src/policy/policy-horizon'
import { sourcesOf, waiversOf } from '../src/policy/waivers'
import { parseReport } from '../src/snapshots/enterprise-contract'
import { measure, print, printHead, printMachine } from './measure'

/** A policy report of 10,000 results and 9 MB: 50 components of two architectures, and as many rules for each. */

const components = 50
const resultsOfEach = 67
const text = 'A sentence of the description, as long as those of the rules of the platform are. '

const aResult = (index: number, kind: string) => ({
  msg: kind === 'successes' ? 'Pass' : `${kind} ${index}: ${text}`,
  metadata: {
    code: `group_${index % 12}.rule_${index}`,
    title: `Rule ${index}`,
    description: text.repeat(6),
    solution: text.repeat(4),
    collections: ['minimal', 'redhat', 'slsa3'],
    effective_on: '2026-12-03T00:00:00Z',
  },
})

const digest = (index: number) => `sha256:${index.toString(16).padStart(64, '0')}`

function aReport(): string {
  const entries = Array.from({ length: components }, (_, at) =>
    [undefined, 'amd64', 'arm64'].map((architecture, image) => ({
      name: architecture ? `component-${at}-${digest(at * 3 + image)}-${architecture}` : `component-${at}`,
      containerImage: `quay.io/team/component-${at}@${digest(at * 3 + image)}`,
      violations: Array.from({ length: 5 }, (_, index) => aResult(index, 'violations')),
      warnings: Array.from({ length: 12 }, (_, index) => aResult(index + 5, 'warnings')),
      successes: Array.from({ length: resultsOfEach - 17 }, (_, index) => aResult(index + 17, 'successes')),
    })),
  ).flat()
  return JSON.stringify({ success: false, components: entries })
}

const log = aReport()
const results = parseReport(log) ?? []
const check = {
  namespace: 'team',
  servedNamespace: 'team',
  application: 'shop',
  check: 'policy',
  pipelineRun: 'run',
  taskRun: 'run-verify',
  checkedAt: '2026-11-29T12:00:00Z',
  policy: 'shared/default',
  results,
}
const findings = latestFindings([check])
const exclude = Array.from({ length: 100 }, (_, index) => ({
  value: `group_${index % 12}.rule_${index % resultsOfEach}`,
  effectiveUntil: '2026-12-10T00:00:00Z',
}))
const policy: KnownPolicy = {
  ref: { kind: 'object', namespace: 'shared', name: 'default' },
  waivers: waiversOf({ sources: [{ volatileConfig: { exclude } }] }),
  findings,
}

const cves = Array.from({ length: 1_000 }, (_, index) => ({
  id: `CVE-2026-${index + 1_000}`,
  aliases: [],
  severity: 'High' as const,
  fixedIn: '2.0',
}))
const ignoring = cves.slice(0, 100).map(({ id }, index) => ({
  value: `cve.cve_blockers:${id}`,
  effectiveUntil: new Date(Date.UTC(2027, 0, index + 1)).toISOString(),
}))
const policies = [{ name: 'default', sources: sourcesOf({ sources: [{ volatileConfig: { exclude: ignoring } }] }) }]
const nowMs = Date.parse(check.checkedAt)

printHead()
print('Results', String(results.length))
print('Report', `${(log.length / 1e6).toFixed(1)} MB`)
measure('Parse the report', () => parseReport(log), '2 s')
measure('Collapse by architecture', () => latestFindings([check]))
measure('Group by rule', () => byRule([...findings]))
measure('Group by component', () => byComponent([...findings]))
measure('Dates, with 100 exceptions', () => policyDates(nowMs, findings, [policy]))
measure('Compare two verifications', () => comparePolicy(findings, findings))
measure('What a policy with 100 exceptions ignores of 1,000 CVEs', () =>
  cves.map((cve) => standingOf(cve, { component: 'api' }, policies, nowMs)),
)
printMachine()
