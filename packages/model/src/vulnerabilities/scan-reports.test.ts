import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { parseScanLog, type ScanLog } from './scan-reports'

const vulnerability = (over: object = {}) => ({
  id: 'CVE-2026-1234',
  aliases: [],
  severity: 'High',
  package: 'openssl-libs',
  installed: '1:3.0.7-27.el9',
  fixedIn: '1:3.0.7-28.el9_4',
  link: 'https://access.redhat.com/security/cve/CVE-2026-1234',
  ...over,
})

const clairEntry = (over: object = {}) => ({
  id: '17',
  updater: 'rhel-vex',
  name: 'CVE-2026-1234',
  description: 'openssl: a quote in it \\" and a brace }',
  issued: '0001-01-01T00:00:00Z',
  links: 'https://access.redhat.com/security/cve/CVE-2026-1234 https://nvd.nist.gov/x',
  severity: 'Important',
  normalized_severity: 'High',
  package: { id: '', name: 'openssl-libs', version: '', kind: 'binary' },
  fixed_in_version: '1:3.0.7-28.el9_4',
  ...over,
})
const clairReport = (entry: object = clairEntry(), over: object = {}) => ({
  manifest_hash: 'sha256:aa',
  packages: { p1: { id: 'p1', name: 'openssl-libs', version: '1:3.0.7-27.el9', kind: 'binary', arch: 'x86_64' } },
  distributions: {},
  repository: {},
  environments: {},
  vulnerabilities: { '17': entry },
  package_vulnerabilities: { p1: ['17'] },
  enrichments: {},
  ...over,
})

const quayReport = (feature: object) => ({
  status: 'scanned',
  data: { Layer: { Name: 'sha256:aa', IndexedByVersion: 4, Features: [feature] } },
})
const quayFeature = {
  Name: 'openssl-libs',
  Version: '1:3.0.7-27.el9',
  AddedBy: 'sha256:bb',
  Vulnerabilities: [
    {
      Severity: 'High',
      NamespaceName: 'rhel-vex',
      Link: 'https://access.redhat.com/security/cve/CVE-2026-1234',
      FixedBy: '1:3.0.7-28.el9_4',
      Description: '',
      Name: 'CVE-2026-1234',
      Metadata: null,
    },
  ],
}

const roxctlReport = {
  result: {
    summary: { 'TOTAL-COMPONENTS': 1, 'TOTAL-VULNERABILITIES': 1, CRITICAL: 0, IMPORTANT: 1, MODERATE: 0, LOW: 0 },
    vulnerabilities: [
      {
        cveId: 'CVE-2026-1234',
        cveSeverity: 'IMPORTANT',
        cveInfo: 'https://access.redhat.com/security/cve/CVE-2026-1234',
        componentName: 'openssl-libs',
        componentVersion: '1:3.0.7-27.el9',
        componentFixedVersion: '1:3.0.7-28.el9_4',
      },
    ],
  },
}

const sarifReport = (results: unknown, rules: object[] = []) => ({
  $schema: 'https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json',
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'Scanner', rules } }, results }],
})

const json = (value: object) => JSON.stringify(value)
const pretty = (value: object) => JSON.stringify(value, null, 2)

describe('a report in a log', () => {
  const trivyText = [
    'Package: openssl-libs',
    'Installed Version: 1:3.0.7-27.el9',
    'Vulnerability CVE-2026-1234',
    'Severity: HIGH',
    'Fixed Version: 1:3.0.7-28.el9_4',
  ].join('\n')
  const rule = { id: 'CVE-2026-1234', helpUri: 'https://access.redhat.com/security/cve/CVE-2026-1234' }
  test.each<[string, string, object?]>([
    ['of Clair', json(clairReport())],
    ['of Clair on several lines', pretty(clairReport())],
    [
      'of Clair between other lines of the step',
      `Running clair-action on amd64 image manifest...\n{"level":"info","message":"matchers done"}\n${json(clairReport())}\n{"image": {"digests": []}}\n`,
    ],
    ['in the format of Quay', json(quayReport(quayFeature))],
    ['in the format of Quay with a list of layers', json({ data: [{ Features: [quayFeature] }] })],
    ['of roxctl', pretty(roxctlReport)],
    [
      'in SARIF with lines in the message',
      json(sarifReport([{ ruleId: 'CVE-2026-1234', message: { text: trivyText } }], [rule])),
    ],
    [
      'in SARIF of Clair, which names no fix',
      json(
        sarifReport(
          [{ ruleId: 'CVE-2026-1234', message: { text: '[openssl-libs - 1:3.0.7-27.el9 - High] "A flaw."' } }],
          [rule],
        ),
      ),
      { fixedIn: undefined },
    ],
    [
      'in SARIF with a score instead of a word',
      json(
        sarifReport(
          [{ ruleId: 'CVE-2026-1234', message: { text: 'A flaw' } }],
          [{ ...rule, properties: { 'security-severity': '8.1' } }],
        ),
      ),
      { package: '-', installed: undefined, fixedIn: undefined },
    ],
    [
      'that names the CVE behind another name',
      json(clairReport(clairEntry({ name: 'pyup.io-39319 (CVE-2026-1234)' }))),
    ],
    [
      'of an advisory for one CVE',
      json(clairReport(clairEntry({ name: 'RHSA-2026:1065: openssl security update (Important)' }))),
      { aliases: ['RHSA-2026:1065'] },
    ],
    [
      'of an advisory for several CVEs',
      json(
        clairReport(
          clairEntry({
            name: 'RHSA-2026:1065: openssl security update',
            links:
              'https://access.redhat.com/errata/RHSA-2026:1065 https://a.test/CVE-2026-1 https://a.test/CVE-2026-1234 https://a.test/CVE-2026-1235',
          }),
        ),
      ),
      {
        id: 'RHSA-2026:1065',
        aliases: ['CVE-2026-1234', 'CVE-2026-1235'],
        link: 'https://access.redhat.com/errata/RHSA-2026:1065',
      },
    ],
    [
      'of another advisory',
      json(clairReport(clairEntry({ name: 'GHSA-abcd-1234-efgh', links: '' }))),
      { id: 'GHSA-abcd-1234-efgh', link: undefined },
    ],
    [
      'without a known severity',
      json(clairReport(clairEntry({ normalized_severity: 'constructor' }))),
      { severity: 'Unknown' },
    ],
    ['without a fix', json(clairReport(clairEntry({ fixed_in_version: '' }))), { fixedIn: undefined }],
    [
      'with the time of its publication',
      json(clairReport(clairEntry({ issued: '2026-01-02T00:00:00Z' }))),
      { published: '2026-01-02T00:00:00Z' },
    ],
    ['with a link that is none', json(clairReport(clairEntry({ links: 'javascript:alert(1)' }))), { link: undefined }],
  ])('%s', (_, log, over = {}) => {
    expect(parseScanLog(log)).toEqual({
      vulnerabilities: [vulnerability(over)],
      reportCount: 1,
      brokenReportCount: 0,
      unreadableCount: 0,
    })
  })
})

test.each<[string, string, Partial<ScanLog>]>([
  ['an empty log', '', {}],
  ['a log without a report', 'panic: runtime error\n{"level":"error","message":"context deadline exceeded"}', {}],
  [
    'a report without vulnerabilities',
    json(clairReport(clairEntry(), { vulnerabilities: {}, package_vulnerabilities: {} })),
    { reportCount: 1 },
  ],
  ['a report of an image without packages', json({ manifest_hash: 'sha256:aa', packages: null }), { reportCount: 1 }],
  [
    'a report of roxctl that found nothing',
    json({ result: { summary: {}, vulnerabilities: null } }),
    { reportCount: 1 },
  ],
  ['a report that is cut off', json(clairReport()).slice(0, 200), { brokenReportCount: 1 }],
  ['a report that is cut off, on several lines', pretty(clairReport()).slice(0, 400), { brokenReportCount: 1 }],
  [
    'a report with a list where an object belongs',
    json(clairReport(clairEntry(), { package_vulnerabilities: [] })),
    { brokenReportCount: 1 },
  ],
  [
    'an entry that the report does not have',
    json(clairReport(clairEntry(), { package_vulnerabilities: { p1: ['18'] } })),
    { reportCount: 1, unreadableCount: 1 },
  ],
  [
    'entries that every object inherits',
    json(clairReport(clairEntry(), { package_vulnerabilities: { p1: ['constructor', '__proto__'] } })),
    { reportCount: 1, unreadableCount: 2 },
  ],
  [
    'a text instead of entries',
    json(clairReport(clairEntry(), { package_vulnerabilities: { p1: 'all' } })),
    { reportCount: 1, unreadableCount: 1 },
  ],
  ['an entry without a name', json(clairReport(clairEntry({ name: ' ' }))), { reportCount: 1, unreadableCount: 1 }],
  [
    'an entry of roxctl that is not an object',
    json({ result: { vulnerabilities: [7] } }),
    { reportCount: 1, unreadableCount: 1 },
  ],
  [
    'SARIF of a tool that checks sources',
    json(sarifReport([{ ruleId: 'javascript/XSS', message: { text: 'No CVE-2026-1234' } }])),
    { reportCount: 1 },
  ],
  ['SARIF without runs', json({ version: '2.1.0', runs: {} }), { brokenReportCount: 1 }],
])('of %s nothing is made up', (_, log, over) => {
  expect(parseScanLog(log)).toEqual({
    vulnerabilities: [],
    reportCount: 0,
    brokenReportCount: 0,
    unreadableCount: 0,
    ...over,
  })
})

it('counts a vulnerability once, whichever architecture and database reports it, with the fix that one of them knows', () => {
  const unfixed = clairReport(clairEntry({ fixed_in_version: '' }), { manifest_hash: 'sha256:bb' })
  const log = parseScanLog(`${json(unfixed)}\n${json(clairReport())}\n${json(unfixed)}`)
  expect(log).toMatchObject({ vulnerabilities: [vulnerability()], reportCount: 3 })
})

it('reads the reports after one that was interrupted', () => {
  const log = parseScanLog(`${json(clairReport()).slice(0, 300)}\nRetrying…\n${json(clairReport())}`)
  expect(log).toMatchObject({ vulnerabilities: [vulnerability()], reportCount: 1, brokenReportCount: 1 })
})

it('survives any text', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.json(), fc.constant('{"manifest_hash":'))), (lines) => {
      expect(parseScanLog(lines.join('\n')).vulnerabilities).toEqual([])
    }),
  )
})

it('is not kept busy by a log of braces', () => {
  const log = '{\n'.repeat(1_000_000)
  expect(parseScanLog(log)).toMatchObject({ vulnerabilities: [], reportCount: 0 })
})
