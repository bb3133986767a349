import {
  type AppliedSources,
  changesAfter,
  type PolicyStanding,
  standingOf,
} from '@slipway/model/policy/ignored-vulnerabilities'
import { appliedPolicyRefs, latestVerifications } from '@slipway/model/policy/verifications'
import { type PolicySource, sourcesOf } from '@slipway/model/policy/waivers'
import { verifyTasks } from '@slipway/model/snapshots/enterprise-contract'
import type { FoundVulnerability } from '@slipway/model/vulnerabilities/scans'
import { useMemo } from 'react'
import { isShallowEqual } from '../../lib/shallow-equal'
import { useFold } from '../../lib/use-fold'
import { useNow } from '../../ui/text/now'
import type { UnknownPolicy } from '../policy/use-policies'
import { type PolicySpec, policyName, usePolicySpecs } from '../policy/use-policy-specs'
import type { PolicyScope } from '../policy/policy-scope'
import { useTaskHistories } from '../security/use-task-histories'

/** A vulnerability, and what the policies of its component say of it. */
export interface JudgedVulnerability extends FoundVulnerability {
  standing?: PolicyStanding | undefined
}

/** What the policies that the newest verifications of each application apply say of vulnerabilities. */
export function usePolicyStandings(
  { namespace, application }: PolicyScope,
  found: readonly FoundVulnerability[] | undefined,
) {
  const verifications = useTaskHistories(namespace, verifyTasks, { application })
  const { rows, error } = verifications
  const applied = useMemo(() => appliedPolicyRefs(latestVerifications(rows ?? none)), [rows])
  const specs = usePolicySpecs(applied.map(({ ref }) => ref))
  const nowMs = useNow(1_000)
  const { rows: judged } = useFold(foldRows, { found, applied, specs, nowMs })
  const unknown = applied.flatMap(({ ref }, at): UnknownPolicy[] => {
    const reason = specs[at]?.reason
    return reason === undefined ? [] : [{ name: policyName(ref), reason }]
  })
  return { judged, unknown, error }
}

interface Known {
  found: readonly FoundVulnerability[] | undefined
  applied: ReturnType<typeof appliedPolicyRefs>
  specs: readonly (PolicySpec | undefined)[]
  nowMs: number
}

interface Judged extends Pick<Known, 'found' | 'applied'> {
  specs: readonly (object | string | undefined)[]
  rows: readonly JudgedVulnerability[] | undefined
  /** When a policy begins to say something else. */
  untilMs: number
}

/** Policies and vulnerabilities may be many: they are compared again only if one of them is another or a date has passed. */
function foldRows({ found, applied, specs: read, nowMs }: Known, before?: Judged): Judged {
  const specs = read.map((each) => each?.spec ?? each?.reason)
  const isSame =
    before?.found === found &&
    before?.applied === applied &&
    isShallowEqual(specs, before.specs) &&
    nowMs < before.untilMs
  if (before && isSame) return before
  // Until all have been read, what one of them ignores would look like what all of them do.
  if (specs.includes(undefined)) return { found, applied, specs, rows: found, untilMs: Infinity }
  const sources = read.map((each) => each?.spec && sourcesOf(each.spec))
  const policiesOf = new Map<string, AppliedSources[]>()
  for (const [at, { ref, applications }] of applied.entries())
    for (const each of applications)
      policiesOf.set(each, [...(policiesOf.get(each) ?? []), { name: policyName(ref), sources: sources[at] }])
  const rows = found?.map((vulnerability): JudgedVulnerability => {
    const { from } = vulnerability
    return {
      ...vulnerability,
      standing: standingOf(vulnerability, from, policiesOf.get(from.application) ?? none, nowMs),
    }
  })
  const [untilMs = Infinity] = changesAfter(
    sources.flatMap((each): PolicySource[] => each ?? []),
    nowMs,
  )
  return { found, applied, specs, rows, untilMs }
}

const none: never[] = []
