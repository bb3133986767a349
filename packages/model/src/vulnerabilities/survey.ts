import { namespaceOf } from '@slipway/kube/object'
import { groupBy } from '../grouping'
import { labels } from '../labels'
import type { Severity } from '../runs/task-results'
import type { TaskRun } from '../runs/task-run'
import { type FoundVulnerability, type Scan, severityRanks } from './scans'
import type { Vulnerability } from './vulnerability'

/** The vulnerabilities of the components of many namespaces, which are read a few at a time. */

export interface ComponentPlace {
  namespace: string
  application: string
  component: string
}

/** Components of one namespace, whose scans are listed together. */
export interface SurveyBatch {
  namespace: string
  components: readonly ComponentPlace[]
}

/**
 * The components in the order in which they are looked at.
 * @param first the namespace that comes first; the others follow by name
 * @param size the most components of a batch
 */
export function surveyBatches(components: readonly ComponentPlace[], size: number, first?: string): SurveyBatch[] {
  const byNamespace = [...groupBy(components, ({ namespace }) => namespace)].sort(
    ([a], [b]) => Number(b === first) - Number(a === first) || compare(a, b),
  )
  return byNamespace.flatMap(([namespace, own]) => {
    const sorted = own.toSorted((a, b) => compare(a.application, b.application) || compare(a.component, b.component))
    const starts = Array.from({ length: Math.ceil(sorted.length / size) }, (_, at) => at * size)
    return starts.map((start) => ({ namespace, components: sorted.slice(start, start + size) }))
  })
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The first batches that have at least so many components together, or all of them. */
export function batchesWithin(batches: readonly SurveyBatch[], most: number): SurveyBatch[] {
  const within: SurveyBatch[] = []
  let count = 0
  for (const batch of batches) {
    if (count >= most) break
    within.push(batch)
    count += batch.components.length
  }
  return within
}

/** How much of a survey is known. Components whose scans could not be read are not counted. */
export interface SurveyProgress {
  componentCount: number
  namespaceCount: number
  /** Components whose newest scans were read to the end, and their namespaces. */
  readCount: number
  readNamespaceCount: number
  /** Components of which no scan is known. */
  unscanned: readonly ComponentPlace[]
}

interface KnownScans {
  components: readonly ComponentPlace[]
  /** Those whose task runs have been listed. */
  listed: readonly ComponentPlace[]
  /** Their scans. */
  taskRuns: readonly TaskRun[]
  /** What was read of these. */
  scans: readonly Scan[]
}

export function surveyProgress({ components, listed, taskRuns, scans }: KnownScans): SurveyProgress {
  const scanCounts = countBy(taskRuns.map(placeOfScan).map(placeKey))
  const readCounts = countBy(scans.filter(({ gap }) => gap === undefined).map(placeKey))
  const read = listed.filter((place) => {
    const scanCount = scanCounts.get(placeKey(place)) ?? 0
    return scanCount > 0 && readCounts.get(placeKey(place)) === scanCount
  })
  return {
    componentCount: components.length,
    namespaceCount: namespacesOf(components).length,
    readCount: read.length,
    readNamespaceCount: namespacesOf(read).length,
    unscanned: listed.filter((place) => !scanCounts.has(placeKey(place))),
  }
}

const placeOfScan = (taskRun: TaskRun): ComponentPlace => ({
  namespace: namespaceOf(taskRun) ?? '',
  application: taskRun.metadata.labels?.[labels.application] ?? '',
  component: taskRun.metadata.labels?.[labels.component] ?? '',
})

/** Tells components of all namespaces apart. */
export const placeKey = ({ namespace, application, component }: ComponentPlace): string =>
  `${namespace}/${application}/${component}`

const namespacesOf = (places: readonly ComponentPlace[]): string[] => [
  ...new Set(places.map(({ namespace }) => namespace)),
]

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** Whether a vulnerability is the one with this name: a CVE or an advisory, in any case. */
export function isNamed({ id, aliases }: Pick<Vulnerability, 'id' | 'aliases'>, name: string): boolean {
  const wanted = name.toUpperCase()
  return [id, ...aliases].some((each) => each.toUpperCase() === wanted)
}

/** A vulnerability, and how far it has spread. */
export interface SpreadVulnerability {
  id: string
  aliases: readonly string[]
  /** The worst that a scan says. */
  severity: Severity
  /** By name. */
  packages: readonly string[]
  /** How many components have it, and in how many of them a package can be updated. */
  componentCount: number
  fixableCount: number
  /** By name. */
  namespaces: readonly string[]
}

/** Each vulnerability once, with the components that have it. */
export const spreadOf = (found: readonly FoundVulnerability[]): SpreadVulnerability[] =>
  [...groupBy(found, ({ id }) => id)].map(([id, own]) => ({
    id,
    aliases: [...new Set(own.flatMap(({ aliases }) => aliases))],
    severity: own
      .map(({ severity }) => severity)
      .reduce((worst, each) => (severityRanks[each] < severityRanks[worst] ? each : worst)),
    packages: [...new Set(own.map((each) => each.package))].sort(compare),
    componentCount: countOfComponents(own),
    fixableCount: countOfComponents(own.filter(({ fixedIn }) => fixedIn)),
    namespaces: namespacesOf(own.map(({ from }) => from)).sort(compare),
  }))

const countOfComponents = (found: readonly FoundVulnerability[]): number =>
  new Set(found.map(({ from }) => placeKey(from))).size
