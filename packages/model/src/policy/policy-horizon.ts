import type { RuleResult } from '../snapshots/enterprise-contract'
import type { Finding } from './policy-checks'
import { holdsFor, type PolicyRef, type Waiver, type WaiverScope } from './waivers'

/** The dates on which what passes today begins to fail. */

export interface AffectedComponent {
  namespace: string
  application: string
  component: string
  /** What the rule says of it; absent if the rule has not been applied to it yet. */
  message?: string
  /** The verification that this is known from. */
  run: { namespace: string; name: string }
}

export interface PolicyDate {
  kind:
    /** A rule that only warns begins to fail. */
    | 'rule'
    /** An exception ends. */
    | 'waiver'
    /** A rule that has not been applied is. */
    | 'inclusion'
  atMs: number
  /** Whether it is over, and the next verification fails. */
  isDue: boolean
  /** Title of the rule, or what the policy calls it. */
  title: string
  code?: string
  remedy?: string
  /** `namespace/name` of the policy that has the exception. */
  policy?: string
  /** The issue that an exception belongs to. */
  reference?: string
  components: AffectedComponent[]
}

/** A policy that has been read. */
export interface KnownPolicy {
  ref: PolicyRef
  waivers: readonly Waiver[]
  /** The findings of the verifications that apply it. */
  findings: readonly Finding[]
}

/**
 * The dates of rules and exceptions, the soonest first, from those that are due since the last verification.
 * @param findings of the latest verifications
 */
export function policyDates(
  nowMs: number,
  findings: readonly Finding[],
  policies: readonly KnownPolicy[],
): PolicyDate[] {
  const rules = ruleDates(nowMs, findings)
  return [...rules, ...policies.flatMap((policy) => waiverDates(nowMs, policy))].sort(
    (a, b) => a.atMs - b.atMs || (a.title < b.title ? -1 : 1),
  )
}

/**
 * When a rule that warns begins to fail; `undefined` if it never does, or already did when it was applied.
 * Source: conforma/cli, internal/evaluator (`isResultEffective`), which takes only times of this form.
 */
function biteOf(result: RuleResult, checkedAt: string): number | undefined {
  const { outcome, severity, effectiveOn } = result
  if (outcome !== 'Warning' || severity === 'warning') return undefined
  const checkedMs = Date.parse(checkedAt)
  const times = [effectiveOn, expiryIn(result)]
    .map((text) => (text && utcTime.test(text) ? Date.parse(text) : NaN))
    .filter((time) => time >= checkedMs)
  return times.length > 0 ? Math.min(...times) : undefined
}

const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/**
 * The rules that warn of a task reference say only in their message when it is no longer trusted.
 * Source: conforma/policy, policy/release/trusted_task.
 */
function expiryIn({ code, message = '' }: RuleResult): string | undefined {
  if (code === 'trusted_task.current') return /\bPlease update before (\S+?)\.?(?:\s|$)/.exec(message)?.[1]
  if (code === 'trusted_task.future_deny_rule') return /\bstarting on (\S+?)\.?(?:\s|$)/.exec(message)?.[1]
  return undefined
}

function ruleDates(nowMs: number, findings: readonly Finding[]): PolicyDate[] {
  const groups = new Map<string, { atMs: number; first: Finding; findings: Finding[] }>()
  for (const finding of findings) {
    const atMs = biteOf(finding, finding.from.checkedAt)
    if (atMs === undefined) continue
    const key = JSON.stringify([atMs, finding.code ?? finding.rule])
    const known = groups.get(key)
    if (known) known.findings.push(finding)
    else groups.set(key, { atMs, first: finding, findings: [finding] })
  }
  return [...groups.values()].map(({ atMs, first: { rule, code, remedy }, findings }) => ({
    kind: 'rule',
    atMs,
    // A rule is in effect after its time, not at it.
    isDue: atMs < nowMs,
    title: rule,
    ...(code && { code }),
    ...(remedy && { remedy }),
    components: affectedBy(findings, ({ message }) => message),
  }))
}

/** Each component once for each message: several tests may verify it. */
function affectedBy(
  findings: readonly Finding[],
  messageOf: (finding: Finding) => string | undefined,
): AffectedComponent[] {
  const components = new Map<string, AffectedComponent>()
  for (const finding of findings) {
    const { component, from } = finding
    const message = messageOf(finding)
    const key = JSON.stringify([from.servedNamespace, from.application, component, message])
    if (components.has(key)) continue
    components.set(key, {
      namespace: from.servedNamespace,
      application: from.application,
      component,
      ...(message && { message }),
      run: { namespace: from.namespace, name: from.pipelineRun },
    })
  }
  return [...components.values()]
}

function waiverDates(nowMs: number, { ref, waivers, findings }: KnownPolicy): PolicyDate[] {
  const verified = onePerImage(findings)
  const rules = new Map(findings.map((finding) => [finding.code, finding]))
  return waivers.flatMap((waiver): PolicyDate[] => {
    const atMs = changeOf(waiver, waivers)
    if (atMs === undefined) return []
    // What has been verified since then says itself what it fails.
    const older = verified.filter((finding) => Date.parse(finding.from.checkedAt) <= atMs && holdsFor(waiver, finding))
    if (older.length === 0) return []
    const { value, reference, kind } = waiver
    const rule = rules.get(value)
    return [
      {
        kind: kind === 'exclude' ? 'waiver' : 'inclusion',
        atMs,
        // An exception holds at its last moment still, and an inclusion at its first one already.
        isDue: kind === 'exclude' ? atMs < nowMs : atMs <= nowMs,
        title: rule?.rule ?? value,
        code: value,
        ...(rule?.remedy && { remedy: rule.remedy }),
        ...(ref.kind === 'object' && { policy: `${ref.namespace}/${ref.name}` }),
        ...(reference && { reference }),
        components: affectedBy(older, () => undefined),
      },
    ]
  })
}

/** A report has many findings on each image; any of them tells what has been verified. */
function onePerImage(findings: readonly Finding[]): Finding[] {
  const images = new Map<string, Finding>()
  for (const finding of findings) {
    const { component, image, from } = finding
    const key = [from.namespace, from.taskRun, component, image].join(' ')
    if (!images.has(key)) images.set(key, finding)
  }
  return [...images.values()]
}

/** When a waiver changes what fails; `undefined` if it never does. */
function changeOf(waiver: Waiver, all: readonly Waiver[]): number | undefined {
  const { kind, fromMs, untilMs, isLasting } = waiver
  if (fromMs !== undefined && untilMs !== undefined && fromMs > untilMs) return undefined
  if (kind === 'include') return fromMs
  if (untilMs === undefined || isLasting) return undefined
  const isExtended = all.some(
    (other) =>
      other !== waiver &&
      other.kind === 'exclude' &&
      other.value === waiver.value &&
      (isUnlimited(other) || isSameScope(other, waiver)) &&
      (other.fromMs ?? -Infinity) <= untilMs + secondMs &&
      (other.untilMs ?? Infinity) > untilMs,
  )
  return isExtended ? undefined : untilMs
}

/** Times of policies are to the second: the next one may begin where the last one has ended. */
const secondMs = 1_000

const isUnlimited = ({ digest, repository, components }: WaiverScope) => !digest && !repository && !components

const isSameScope = (a: WaiverScope, b: WaiverScope) =>
  a.digest === b.digest &&
  a.repository === b.repository &&
  JSON.stringify(a.components?.toSorted()) === JSON.stringify(b.components?.toSorted())

/** How many days ahead the calendar looks. */
export const horizonDays = 90

/**
 * Whether a date is on the calendar: due, or on one of the days from today on.
 * @param timeZone such as `Europe/Berlin`; by default that of the user
 */
export const isOnHorizon = (nowMs: number, { atMs, isDue }: PolicyDate, timeZone?: string): boolean =>
  isDue || daysUntil(nowMs, atMs, timeZone) <= horizonDays

/** How many midnights are between two times, whatever the length of the days. */
export function daysUntil(nowMs: number, atMs: number, timeZone?: string): number {
  return dayNumber(atMs, timeZone) - dayNumber(nowMs, timeZone)
}

function dayNumber(timeMs: number, timeZone: string | undefined): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).formatToParts(timeMs)
  const [year = 0, month = 0, day = 0] = (['year', 'month', 'day'] as const).map((part) =>
    Number(parts.find(({ type }) => type === part)?.value),
  )
  return Date.UTC(year, month - 1, day) / 86_400_000
}
