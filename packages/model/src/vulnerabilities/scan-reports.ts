import { isRecord } from '@slipway/kube/object'
import { asArray, asRecord, asText } from '@slipway/kube/parse'
import { objectsInLog } from '../logs/json-in-log'
import { webAddress } from '../web-address'
import { identify, severityOf, severityOfScore, type Vulnerability, vulnerabilityKey } from './vulnerability'

/**
 * Reports of scanners in the logs of tasks, in the formats that the tasks of the platform write. All of it is untrusted:
 * the image and its packages choose the texts.
 */

/** What the reports in a log say. */
export interface ScanLog {
  /** Each once, however many architectures and retries report it. */
  vulnerabilities: Vulnerability[]
  /** Whole reports. Without any, nothing is known of vulnerabilities. */
  reportCount: number
  /** Reports that are cut off or invalid. */
  brokenReportCount: number
  /** Entries of whole reports that could not be read. */
  unreadableCount: number
}

/** The entries of a report; `undefined` for one that could not be read. */
type Entries = (Vulnerability | undefined)[]

/** @returns `undefined` for an object in another format, and `'broken'` for a report without what makes it one */
type ReadReport = (value: Record<string, unknown>) => Entries | 'broken' | undefined

/** Finds the reports in a log, whatever else it says. */
export function parseScanLog(log: string): ScanLog {
  const byKey = new Map<string, Vulnerability>()
  const found = { reportCount: 0, brokenReportCount: 0, unreadableCount: 0 }
  for (const object of objectsInLog(log)) {
    const entries = 'value' in object ? read(object.value) : looksLikeReport.test(object.unreadable) && 'broken'
    if (entries === 'broken') found.brokenReportCount++
    if (!Array.isArray(entries)) continue
    found.reportCount++
    for (const entry of entries) {
      if (entry) byKey.set(vulnerabilityKey(entry), preferFixed(byKey.get(vulnerabilityKey(entry)), entry))
      else found.unreadableCount++
    }
  }
  return { vulnerabilities: [...byKey.values()], ...found }
}

/** Databases of a scanner may disagree on whether there is a fix. */
const preferFixed = (known: Vulnerability | undefined, other: Vulnerability): Vulnerability =>
  known && (known.fixedIn || !other.fixedIn) ? known : other

/** How a report begins that is too long for its log, or was interrupted. */
const looksLikeReport =
  /^\{\s*"(?:manifest_hash|status"\s*:\s*"scanned|data"\s*:\s*[[{]|result"\s*:\s*\{|runs|\$schema)/

const read: ReadReport = (value) => {
  for (const format of [clair, quay, roxctl, sarif]) {
    const entries = format(value)
    if (entries) return entries
  }
  return undefined
}

/** Source: quay/claircore, vulnerabilityreport.go; what `clair-action report --format=clair` writes. */
const clair: ReadReport = ({ manifest_hash: hash, packages, vulnerabilities, package_vulnerabilities: ofPackages }) => {
  if (typeof hash !== 'string' || packages === undefined) return undefined
  // An image without packages has `null` in their place.
  if (![packages, vulnerabilities, ofPackages].every((part) => isRecord(part ?? {}))) return 'broken'
  return Object.entries(asRecord(ofPackages)).flatMap(([packageId, ids]) => {
    const installed = recordAt(packages, packageId)
    return entriesIn(ids, (id) => {
      const entry = recordAt(vulnerabilities, id)
      return entryOf({
        names: identify(entry.name, asText(entry.links)),
        severity: severityOf(entry.normalized_severity),
        package: installed.name,
        installed: installed.version,
        fixedIn: entry.fixed_in_version,
        links: entry.links,
        published: entry.issued,
      })
    })
  })
}

/** Source: quay/clair-action, output/quay.go; in older versions, layers are a list. */
const quay: ReadReport = ({ data }) => {
  const layers = Array.isArray(data) ? data : isRecord(data) ? Object.values(data) : []
  if (!layers.some((layer) => isRecord(layer) && 'Features' in layer)) return undefined
  return layers.flatMap((layer) =>
    asArray(asRecord(layer).Features).flatMap((feature) => {
      const { Name, Version, Vulnerabilities } = asRecord(feature)
      return entriesIn(Vulnerabilities, (each) => {
        const entry = asRecord(each)
        return entryOf({
          names: identify(entry.Name, asText(entry.Link)),
          severity: severityOf(entry.Severity),
          package: Name,
          installed: Version,
          fixedIn: entry.FixedBy,
          links: entry.Link,
        })
      })
    }),
  )
}

/** Source: stackrox/stackrox, roxctl image scan `--output=json`. */
const roxctl: ReadReport = ({ result }) => {
  if (!isRecord(result) || !('vulnerabilities' in result || 'summary' in result)) return undefined
  const { vulnerabilities } = result
  if (vulnerabilities !== undefined && vulnerabilities !== null && !Array.isArray(vulnerabilities)) return 'broken'
  return entriesIn(vulnerabilities, (each) => {
    const entry = asRecord(each)
    return entryOf({
      names: identify(entry.cveId),
      severity: severityOf(entry.cveSeverity),
      package: entry.componentName,
      installed: entry.componentVersion,
      fixedIn: entry.componentFixedVersion,
      links: entry.cveInfo,
    })
  })
}

/**
 * Source: OASIS SARIF 2.1.0. It has no fields for packages: scanners write them into the message. Results of other tools,
 * such as those that check sources, name no vulnerability, and are left out.
 */
const sarif: ReadReport = ({ runs, version }) => {
  if (runs === undefined || typeof version !== 'string') return undefined
  if (!Array.isArray(runs)) return 'broken'
  return runs.map(asRecord).flatMap((run) => {
    const rules = new Map(
      asArray(asRecord(asRecord(run.tool).driver).rules).map((rule) => [asText(asRecord(rule).id), asRecord(rule)]),
    )
    return asArray(run.results).flatMap((each) => {
      const { ruleId, message } = asRecord(each)
      const text = asText(asRecord(message).text)?.slice(0, 2_000) ?? ''
      const names = identify(ruleId)
      const rule = rules.get(asText(ruleId))
      if (!names || !/^(?:CVE|GHSA|RH[SBE]A|GO|PYSEC|RUSTSEC|OSV)-/.test(names.id)) return []
      const said = packageInMessage(text)
      const severity = severityOf(said.severity)
      return [
        entryOf({
          names,
          severity:
            severity === 'Unknown' ? severityOfScore(asRecord(rule?.properties)['security-severity']) : severity,
          package: said.name,
          installed: said.installed,
          fixedIn: said.fixedIn,
          links: rule?.helpUri,
        }),
      ]
    })
  })
}

/** What a message says of the package, in the form of Clair, `[name - version - severity]`, or in lines as Trivy does. */
function packageInMessage(text: string) {
  const [, name, installed, severity] = /^\[(\S{1,200}) - (\S{1,200}) - (\w{1,20})\]/.exec(text) ?? []
  if (name) return { name, installed, severity }
  const line = (label: string) => new RegExp(`^${label}: *(\\S{1,200})`, 'm').exec(text)?.[1]
  return {
    name: line('Package'),
    installed: line('Installed Version'),
    severity: line('Severity'),
    fixedIn: line('Fixed Version'),
  }
}

/** What is there instead of a list counts as an entry that could not be read. */
function entriesIn(list: unknown, readEntry: (entry: unknown) => Vulnerability | undefined): Entries {
  if (list === undefined || list === null) return []
  return Array.isArray(list) ? list.map(readEntry) : [undefined]
}

interface RawEntry extends Pick<Vulnerability, 'severity'> {
  names: Pick<Vulnerability, 'id' | 'aliases'> | undefined
  package: unknown
  installed: unknown
  fixedIn: unknown
  /** URLs, separated by spaces. */
  links: unknown
  /** RFC 3339. */
  published?: unknown
}

function entryOf({ names, severity, links, ...raw }: RawEntry): Vulnerability | undefined {
  return (
    names && {
      ...names,
      severity,
      package: shortText(raw.package) ?? '-',
      installed: shortText(raw.installed),
      fixedIn: shortText(raw.fixedIn),
      link: linkFor(names.id, asText(links)),
      published: publicationIn(raw.published),
    }
  )
}

/** The first second of the year 1 is how Go writes that a time is not known. */
function publicationIn(value: unknown): string | undefined {
  const time = shortText(value)
  return time && Date.parse(time) > 0 ? time : undefined
}

const shortText = (value: unknown): string | undefined => asText(value)?.slice(0, 200)

/** The link that names the vulnerability, or else the first one. */
function linkFor(id: string, links = ''): string | undefined {
  const urls = links.slice(0, 10_000).split(/\s+/)
  return webAddress(urls.find((url) => url.includes(id)) ?? urls[0])
}

/** A member of an object that is named in a report, and not one that every object inherits. */
const recordAt = (value: unknown, key: unknown): Record<string, unknown> =>
  isRecord(value) && typeof key === 'string' && Object.hasOwn(value, key) ? asRecord(value[key]) : {}
