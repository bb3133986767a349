import { asArray, asRecord, asText } from '@slipway/kube/parse'
import type { Vulnerability } from '../vulnerabilities/vulnerability'
import { holdsFor, isEmpty, isInForce, type PolicySource } from './waivers'

/**
 * Which vulnerabilities a policy lets pass, from its configuration alone.
 * Sources: conforma/cli, internal/evaluator (criteria.go, filters.go); conforma/policy, policy/release/cve.
 */

export interface Exemption {
  /**
   * Whether the policy excludes the vulnerability, its rules for vulnerabilities do not block one like it, or they give
   * some days to fix it.
   */
  kind: 'excluded' | 'not blocking' | 'leeway'
  /** What the policy excludes: `cve.cve_blockers:CVE-2026-1`. */
  by?: string
  /** The issue that the exclusion belongs to. */
  reference?: string
  /** The last moment of the exemption, if it is known to end. */
  untilMs?: number
}

/** What Conforma compares the criteria of a policy with. */
interface Subject {
  component: string
  image?: string | undefined
}

type Judged = Pick<Vulnerability, 'id' | 'aliases' | 'severity' | 'fixedIn' | 'published'>

/**
 * Why a policy lets a vulnerability pass; `undefined` if it does not, or if that is not known.
 * @param sources of the policy (`sourcesOf`)
 */
export function exemptionOf(
  vulnerability: Judged,
  subject: Subject,
  sources: readonly PolicySource[],
  nowMs: number,
): Exemption | undefined {
  const at = (timeMs: number) => exemptionAt(vulnerability, subject, sources, timeMs)
  const exemption = at(nowMs)
  if (!exemption) return undefined
  const relevant = sources.map((source) => withRelevantWaivers(source, vulnerability))
  const leewayEnds = sources.flatMap((source) => leewayEndMs(source, vulnerability) ?? [])
  const changes = [...changesAfter(relevant, nowMs), ...leewayEnds.map((endMs) => endMs + 1)]
  const end = changes.toSorted((a, b) => a - b).find((timeMs) => timeMs > nowMs && !at(timeMs))
  return end === undefined ? exemption : { ...exemption, untilMs: end - 1 }
}

/** A policy may have many exceptions, of which few can change what it says of a vulnerability. */
function withRelevantWaivers(source: PolicySource, vulnerability: Judged): PolicySource {
  // Without criteria of its own, a source falls back on those of the policy once no exception holds any more.
  if (isEmpty(source.own) && !isEmpty(source.fallback)) return source
  const [rule, names] = [ruleOf(vulnerability), namesOf(vulnerability)]
  const waivers = source.waivers.filter(({ kind, value }) => kind === 'include' || scoreOf(value, rule, names) > 0)
  return { ...source, waivers }
}

const ruleOf = ({ fixedIn }: Judged) => (fixedIn ? 'cve_blockers' : 'unpatched_cve_blockers')
const namesOf = ({ id, aliases }: Judged): string[] => [id, ...aliases]

/** When exceptions of a policy begin to hold, and no longer do, the soonest first. */
export const changesAfter = (sources: readonly PolicySource[], nowMs: number): number[] =>
  sources
    .flatMap(({ waivers }) => waivers)
    .flatMap(({ fromMs = NaN, untilMs = NaN }) => [fromMs, untilMs + 1])
    .filter((timeMs) => timeMs > nowMs)
    .toSorted((a, b) => a - b)

/** A policy that a component is verified against. */
export interface AppliedSources {
  /** `namespace/name`, or where else it is. */
  name: string
  /** `undefined` if it could not be read. */
  sources: readonly PolicySource[] | undefined
}

/** What the policies of a component say of a vulnerability. */
export interface PolicyStanding {
  state: 'Ignored' | 'Leeway' | 'Not blocking' | 'Partly ignored' | 'Not known'
  /** Until when, if that is known to end. */
  untilMs?: number
  /** By each policy that lets it pass. */
  exemptions: (Exemption & { policy: string })[]
}

/** @returns `undefined` if a policy blocks it, or none is applied */
export function standingOf(
  vulnerability: Judged,
  subject: Subject,
  policies: readonly AppliedSources[],
  nowMs: number,
): PolicyStanding | undefined {
  const unknown = policies.filter(({ sources }) => !sources)
  const exemptions = policies.flatMap(({ name, sources }) => {
    const exemption = sources && exemptionOf(vulnerability, subject, sources, nowMs)
    return exemption ? { ...exemption, policy: name } : []
  })
  if (exemptions.length === 0) {
    const isUnknown = unknown.length > 0 && unknown.length === policies.length
    return isUnknown ? { state: 'Not known', exemptions } : undefined
  }
  if (exemptions.length < policies.length) return { state: 'Partly ignored', exemptions }
  const ends = exemptions.flatMap(({ untilMs }) => untilMs ?? [])
  return {
    state: states[strongest(exemptions)?.kind ?? 'not blocking'],
    ...(ends.length > 0 && { untilMs: Math.min(...ends) }),
    exemptions,
  }
}

const states = { excluded: 'Ignored', leeway: 'Leeway', 'not blocking': 'Not blocking' } as const

/** The exemption that says most about the others. */
const strongest = <E extends Exemption>(exemptions: readonly E[]): E | undefined =>
  exemptions.find(({ kind }) => kind === 'excluded') ??
  exemptions.find(({ kind }) => kind === 'leeway') ??
  exemptions[0]

/** Each source is evaluated on its own, and any of them may block. */
function exemptionAt(
  vulnerability: Judged,
  subject: Subject,
  sources: readonly PolicySource[],
  timeMs: number,
): Exemption | undefined {
  const exemptions = sources.map((source) => exemptionBy(vulnerability, subject, source, timeMs))
  const known = exemptions.filter((each) => each !== undefined)
  return known.length < exemptions.length ? undefined : strongest(known)
}

function exemptionBy(
  vulnerability: Judged,
  subject: Subject,
  source: PolicySource,
  timeMs: number,
): Exemption | undefined {
  const { include, exclude } = criteriaAt(source, subject, timeMs)
  const rule = ruleOf(vulnerability)
  const names = namesOf(vulnerability)
  const included = include.map(({ value }) => (value.startsWith('@') ? collectionScore : scoreOf(value, rule, names)))
  const excluded = exclude.map((criterion) => ({ ...criterion, score: scoreOf(criterion.value, rule, names) }))
  if (sum(included) > sum(excluded.map(({ score }) => score))) {
    const levels = blockedLevels(source, rule)
    if (levels && !levels.includes(vulnerability.severity.toLowerCase())) return { kind: 'not blocking' }
    const endMs = leewayEndMs(source, vulnerability)
    return endMs !== undefined && timeMs <= endMs ? { kind: 'leeway' } : undefined
  }
  const [most] = excluded.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score)
  return most
    ? { kind: 'excluded', by: most.value, ...(most.reference && { reference: most.reference }) }
    : { kind: 'not blocking' }
}

interface Criterion {
  value: string
  reference?: string
}

const everything: readonly Criterion[] = [{ value: '*' }]

function criteriaAt(
  { own, fallback, waivers }: PolicySource,
  subject: Subject,
  timeMs: number,
): Record<'include' | 'exclude', readonly Criterion[]> {
  const inForce = waivers.filter((waiver) => isInForce(waiver, timeMs))
  const lasting = isEmpty(own) && inForce.length === 0 ? fallback : own
  const criteria = (kind: 'include' | 'exclude') => [
    ...lasting[kind].map((value) => ({ value })),
    ...inForce.filter((waiver) => waiver.kind === kind && holdsFor(waiver, subject)),
  ]
  // Those for other images count as criteria too.
  const isLimited = lasting.include.length > 0 || inForce.some(({ kind }) => kind === 'include')
  return { include: isLimited ? criteria('include') : everything, exclude: criteria('exclude') }
}

const collectionScore = 10
/** The collections that have the rules for vulnerabilities. Any collection may, and an included one is taken to. */
const collections: readonly string[] = ['@minimal', '@redhat', '@redhat_security']

/** How specific a name is that covers a rule for vulnerabilities; 0 if it does not cover it. */
function scoreOf(value: string, rule: string, names: readonly string[]): number {
  if (value === '*') return 1
  if (value.startsWith('@')) return collections.includes(value) ? collectionScore : 0
  const end = value.indexOf(':')
  const name = end < 0 ? value : value.slice(0, end)
  const base = name === 'cve' || name === 'cve.*' ? 10 : name === `cve.${rule}` ? 110 : 0
  if (base === 0 || end < 0) return base
  return names.includes(value.slice(end + 1)) ? base + 100 : 0
}

const sum = (scores: readonly number[]): number => scores.reduce((total, score) => total + score, 0)

const levelKeys = {
  cve_blockers: { key: 'restrict_cve_security_levels', usual: ['critical', 'high'] },
  unpatched_cve_blockers: { key: 'restrict_unpatched_cve_security_levels', usual: [] },
} as const

/** The severities that a rule blocks; `undefined` if the policy takes them from elsewhere. */
function blockedLevels(
  { ruleData, hasOtherData }: PolicySource,
  rule: keyof typeof levelKeys,
): readonly string[] | undefined {
  const { key, usual } = levelKeys[rule]
  const levels = ruleData[key]
  if (Array.isArray(levels)) return asArray(levels).flatMap((level) => asText(level) ?? [])
  return hasOtherData ? undefined : usual
}

const dayMs = 24 * 3_600_000

/**
 * The last moment at which the rules for vulnerabilities only warn, counted from the publication; `undefined` if the
 * policy gives no time, or a scanner does not say when the vulnerability was published.
 */
function leewayEndMs({ ruleData }: PolicySource, { severity, published }: Judged): number | undefined {
  const days = asRecord(ruleData.cve_leeway)[severity.toLowerCase()]
  const publishedMs = Date.parse(published ?? '')
  return typeof days === 'number' && days > 0 && publishedMs > 0 ? publishedMs + days * dayMs : undefined
}
