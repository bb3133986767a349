import {
  type AppliedSources,
  changesAfter,
  type PolicyStanding,
  standingOf,
} from '@slipway/model/policy/ignored-vulnerabilities'
import {
  type AppliedPolicyRef,
  appliedPolicyRefs,
  latestVerifications,
  mergedPolicyRefs,
} from '@slipway/model/policy/verifications'
import { type PolicySource, sourcesOf } from '@slipway/model/policy/waivers'
import { verifyTasks } from '@slipway/model/snapshots/enterprise-contract'
import type { FoundVulnerability } from '@slipway/model/vulnerabilities/scans'
import { useMemo } from 'react'
import { isShallowEqual } from '../../lib/shallow-equal'
import { useFold } from '../../lib/use-fold'
import { useNow } from '../../ui/text/now'
import type { UnknownPolicy } from '../policy/use-policies'
import { type PolicySpec, policyName, usePolicySpecs } from '../policy/use-policy-specs'
import { type UnnamedPolicy, useReleasePolicies } from '../policy/use-release-policies'
import type { PolicyScope } from '../policy/policy-scope'
import { useTaskHistories } from '../security/use-task-histories'

/** A vulnerability, and what the policies of its component say of it. */
export interface JudgedVulnerability extends FoundVulnerability {
  standing?: PolicyStanding | undefined
}

/**
 * What policies say of vulnerabilities: those that the newest verifications of each application apply, and those of its
 * releases.
 */
export function usePolicyStandings(
  { namespace, application }: PolicyScope,
  found: readonly FoundVulnerability[] | undefined,
) {
  const verifications = useTaskHistories(namespace, verifyTasks, { application })
  const { rows, error } = verifications
  const releasePolicies = useReleasePolicies({ namespace, application })
  const applied = useMemo(
    () => mergedPolicyRefs([...appliedPolicyRefs(latestVerifications(rows ?? none)), ...releasePolicies.applied]),
    [rows, releasePolicies.applied],
  )
  const specs = usePolicySpecs(applied.map(({ ref }) => ref))
  const nowMs = useNow(1_000)
  const { unnamed, isPending } = releasePolicies
  const { rows: judged } = useFold(foldRows, { found, applied, specs, unnamed, isPending, nowMs })
  const unknown = applied.flatMap(({ ref }, at): UnknownPolicy[] => {
    const reason = specs[at]?.reason
    return reason === undefined ? [] : [{ name: policyName(ref), reason }]
  })
  return { judged, unknown: [...unknown, ...unnamed], error }
}

interface Known {
  found: readonly FoundVulnerability[] | undefined
  applied: readonly AppliedPolicyRef[]
  specs: readonly (PolicySpec | undefined)[]
  unnamed: readonly UnnamedPolicy[]
  /** Whether some policies are still being looked for. */
  isPending: boolean
  nowMs: number
}

interface Judged extends Pick<Known, 'found' | 'applied'> {
  /** What else the rows are made of. */
  policies: readonly unknown[]
  rows: readonly JudgedVulnerability[] | undefined
  /** When a policy begins to say something else. */
  untilMs: number
}

/** Policies and vulnerabilities may be many: they are compared again only if one of them is another or a date has passed. */
function foldRows({ found, applied, specs: read, unnamed, isPending, nowMs }: Known, before?: Judged): Judged {
  const specs = read.map((each) => each?.spec ?? each?.reason)
  const policies = [isPending, ...specs, ...unnamed.flatMap(({ name, application }) => [name, application])]
  const isSame =
    before?.found === found &&
    before?.applied === applied &&
    isShallowEqual(policies, before.policies) &&
    nowMs < before.untilMs
  if (before && isSame) return before
  // Until all have been read, what one of them ignores would look like what all of them do.
  if (isPending || specs.includes(undefined)) return { found, applied, policies, rows: found, untilMs: Infinity }
  const sources = read.map((each) => each?.spec && sourcesOf(each.spec))
  const policiesOf = new Map<string, AppliedSources[]>()
  for (const [at, { ref, applications }] of applied.entries())
    for (const each of applications)
      policiesOf.set(each, [...(policiesOf.get(each) ?? []), { name: policyName(ref), sources: sources[at] }])
  const rows = found?.map((vulnerability): JudgedVulnerability => {
    const { from } = vulnerability
    const unread = unnamed.filter(({ application = from.application }) => application === from.application)
    return {
      ...vulnerability,
      standing: standingOf(
        vulnerability,
        from,
        [
          ...(policiesOf.get(from.application) ?? none),
          ...unread.map(({ name }): AppliedSources => ({ name, sources: undefined })),
        ],
        nowMs,
      ),
    }
  })
  const [changeMs = Infinity] = changesAfter(
    sources.flatMap((each): PolicySource[] => each ?? []),
    nowMs,
  )
  // Days of leeway end at other moments than the exceptions of a policy.
  const ends = rows?.flatMap(({ standing }) => standing?.exemptions.flatMap(({ untilMs }) => untilMs ?? []) ?? [])
  const untilMs = (ends ?? none).reduce((soonest, endMs) => Math.min(soonest, endMs + 1), changeMs)
  return { found, applied, policies, rows, untilMs }
}

const none: never[] = []
