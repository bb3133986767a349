import { labels } from '@slipway/model/labels'
import { hexDigits, integerBetween, pick } from '../../keyed-random'
import type { Facts } from './definition'
import { vulnerabilitiesOf, type Vulnerabilities } from './verdict'

/** The reports of scanners, as their steps print them. */

type SeverityKey = keyof Vulnerabilities

interface Finding {
  cve: string
  severity: SeverityKey
  package: string
  installed: string
  /** Empty without a fix. */
  fixedIn: string
  /** RFC 3339. */
  published: string
}

/** A scanner's report in one of the formats that tasks print. */
export type ReportFormat = (findings: readonly Finding[], image: string) => object

const packages: [string, ...string[]] = ['openssl-libs', 'glibc', 'libxml2', 'curl', 'sqlite-libs', 'expat', 'zlib']

/** The same one in every image that has a vulnerability of this severity with a fix: it spreads with a base image. */
export const commonVulnerabilities: Partial<Record<SeverityKey, { cve: string; package: string }>> = {
  critical: { cve: 'CVE-2026-20417', package: 'openssl-libs' },
  high: { cve: 'CVE-2026-21883', package: 'libxml2' },
  medium: { cve: 'CVE-2026-18044', package: 'curl' },
}

const dayMs = 24 * 3_600_000
/** Common vulnerabilities became known some days before the week of the scan. */
const publishedBeforeMs = (startMs: number): number => Math.floor(startMs / (7 * dayMs)) * 7 * dayMs - 5 * dayMs

/**
 * What a scan finds: as many vulnerabilities as its result counts. The builds of a component have the same ones, in the
 * same order, so that those that one build has more than the one before it have arrived with it.
 */
export function findingsOf(facts: Facts): Finding[] {
  const counts = vulnerabilitiesOf(facts)
  return [...listed(facts, counts.vulnerabilities, true), ...listed(facts, counts.unpatched_vulnerabilities, false)]
}

function listed({ taskRun, sharedRandom, startMs }: Facts, counts: Vulnerabilities, isFixable: boolean): Finding[] {
  const subject = taskRun.metadata.labels?.[labels.component] ?? ''
  return Object.entries(counts).flatMap(([severity, count]) => {
    const random = sharedRandom(`${isFixable ? 'fixable' : 'unpatched'} ${severity} vulnerabilities of ${subject}`)
    return Array.from({ length: count }, (_, at): Finding => {
      const number = integerBetween(random, 10_000, 65_535)
      const release = integerBetween(random, 20, 27)
      const finding: Finding = {
        cve: `CVE-2025-${number}`,
        // `Object.entries` types keys as strings.
        severity: severity as SeverityKey,
        package: pick(random, packages),
        installed: `3.0.7-${release}.el9`,
        fixedIn: isFixable ? `3.0.7-${release + 1}.el9_4` : '',
        published: '2025-11-04T00:00:00Z',
      }
      const common = isFixable && at === 0 ? commonVulnerabilities[finding.severity] : undefined
      return common ? { ...finding, ...common, published: new Date(publishedBeforeMs(startMs)).toISOString() } : finding
    })
  })
}

const linkOf = ({ cve }: Finding): string => `https://access.redhat.com/security/cve/${cve}`
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const redHatWords = { critical: 'Critical', high: 'Important', medium: 'Moderate', low: 'Low', unknown: '' }

const digestIn = (image: string): string => /sha256:[0-9a-f]+/.exec(image)?.[0] ?? `sha256:${hexDigits(() => 0, 64)}`

/** `clair-action report --format=clair` */
export const clairReport: ReportFormat = (findings, image) => {
  const names = [...new Set(findings.map((finding) => `${finding.package} ${finding.installed}`))]
  const ids = findings.map((finding, at) => ({ finding, id: String(at + 1) }))
  const idOf = (name: string) => String(names.indexOf(name) + 1)
  return {
    manifest_hash: digestIn(image),
    packages: Object.fromEntries(
      names.map((name) => {
        const [packageName, version] = name.split(' ')
        return [idOf(name), { id: idOf(name), name: packageName, version, kind: 'binary', arch: 'x86_64' }]
      }),
    ),
    distributions: {},
    repository: {},
    environments: {},
    vulnerabilities: Object.fromEntries(
      ids.map(({ finding, id }) => [
        id,
        {
          id,
          updater: 'rhel-vex',
          name: finding.cve,
          description: `A flaw was found in ${finding.package}.`,
          issued: finding.published,
          links: linkOf(finding),
          severity: redHatWords[finding.severity],
          normalized_severity: capitalized(finding.severity),
          package: { id: '', name: finding.package, version: '', kind: 'binary' },
          fixed_in_version: finding.fixedIn,
        },
      ]),
    ),
    package_vulnerabilities: Object.fromEntries(
      names.map((name) => [
        idOf(name),
        ids.filter(({ finding }) => `${finding.package} ${finding.installed}` === name).map(({ id }) => id),
      ]),
    ),
    enrichments: {},
  }
}

/** `clair-action report --format=quay`, of which older tasks print the report. */
export const quayReport: ReportFormat = (findings, image) => ({
  status: 'scanned',
  data: {
    Layer: {
      Name: digestIn(image),
      ParentName: '',
      NamespaceName: '',
      IndexedByVersion: 4,
      Features: findings.map((finding) => ({
        Name: finding.package,
        VersionFormat: '',
        NamespaceName: '',
        AddedBy: digestIn(image),
        Version: finding.installed,
        Vulnerabilities: [
          {
            Severity: capitalized(finding.severity),
            NamespaceName: 'rhel-vex',
            Link: linkOf(finding),
            FixedBy: finding.fixedIn,
            Description: `A flaw was found in ${finding.package}.`,
            Name: finding.cve,
          },
        ],
      })),
    },
  },
})

/** `roxctl image scan --output=json` */
export const roxctlReport: ReportFormat = (findings) => ({
  result: {
    summary: { 'TOTAL-VULNERABILITIES': findings.length },
    vulnerabilities: findings.map((finding) => ({
      cveId: finding.cve,
      cveSeverity: redHatWords[finding.severity].toUpperCase(),
      cveInfo: linkOf(finding),
      componentName: finding.package,
      componentVersion: finding.installed,
      componentFixedVersion: finding.fixedIn,
    })),
  },
})

/** SARIF 2.1.0, with the package in lines of the message. */
export const sarifReport: ReportFormat = (findings) => ({
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'image scanner',
          rules: findings.map((finding) => ({ id: finding.cve, helpUri: linkOf(finding) })),
        },
      },
      results: findings.map((finding) => ({
        ruleId: finding.cve,
        level: 'error',
        message: {
          text: [
            `Package: ${finding.package}`,
            `Installed Version: ${finding.installed}`,
            `Vulnerability ${finding.cve}`,
            `Severity: ${finding.severity.toUpperCase()}`,
            `Fixed Version: ${finding.fixedIn}`,
          ].join('\n'),
        },
      })),
    },
  ],
})
