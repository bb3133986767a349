import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { gitFactsOf } from '../git/git-facts'
import { labels } from '../labels'
import { lastFirstBy } from '../newest'
import type { TaskRun } from '../runs/task-run'
import { isFinished, startOf } from '../runs/tekton'
import type { RuleResult } from '../snapshots/enterprise-contract'
import type { PolicyCheck } from './policy-checks'
import { type PolicyRef, policyRefOf } from './waivers'

/** The tasks whose reports say what the components of a namespace fulfil now. */

/** Those that count for what would be released: verifications of pull requests do not. */
export const latestVerifications = (taskRuns: readonly TaskRun[]): TaskRun[] =>
  newestVerifications(taskRuns.filter((taskRun) => !gitFactsOf(undefined, [taskRun]).isPullRequest))

/** The newest finished verification of each test or pipeline for each component whose build caused it, newest first. */
export function newestVerifications(taskRuns: readonly TaskRun[]): TaskRun[] {
  const newest = new Map<string, TaskRun>()
  for (const taskRun of taskRuns) {
    if (!isFinished(taskRun)) continue
    const ownLabels = taskRun.metadata.labels
    const key = JSON.stringify([applicationOf(taskRun), checkNameOf(taskRun), ownLabels?.[labels.component]])
    const known = newest.get(key)
    if (!known || lastStarted(taskRun, known) < 0) newest.set(key, taskRun)
  }
  return [...newest.values()].sort(lastStarted)
}

const lastStarted = lastFirstBy(startOf)

/** What a report says, and where it is from. */
export const checkOf = (taskRun: TaskRun, results: readonly RuleResult[]): PolicyCheck => ({
  namespace: namespaceOf(taskRun) ?? '',
  servedNamespace: taskRun.metadata.labels?.[labels.releaseNamespace] ?? namespaceOf(taskRun) ?? '',
  application: applicationOf(taskRun),
  check: checkNameOf(taskRun),
  pipelineRun: taskRun.metadata.labels?.[labels.pipelineRun] ?? '',
  taskRun: nameOf(taskRun),
  checkedAt: taskRun.status?.completionTime ?? startOf(taskRun),
  policy: policyParamOf(taskRun),
  results,
})

/** A policy, and the applications whose verifications apply it. */
export interface AppliedPolicyRef {
  ref: PolicyRef
  applications: string[]
}

/** The policies that verifications apply. */
export const appliedPolicyRefs = (verifications: readonly TaskRun[]): AppliedPolicyRef[] =>
  mergedPolicyRefs(
    verifications.flatMap((taskRun) => {
      const ref = policyRefOf(policyParamOf(taskRun), namespaceOf(taskRun) ?? '')
      return ref ? [{ ref, applications: [applicationOf(taskRun)] }] : []
    }),
  )

/** Each policy once, with all applications that it is applied to. */
export function mergedPolicyRefs(refs: readonly AppliedPolicyRef[]): AppliedPolicyRef[] {
  const merged = new Map<string, AppliedPolicyRef>()
  for (const { ref, applications } of refs) {
    const key = JSON.stringify(ref)
    const known = merged.get(key)?.applications ?? []
    merged.set(key, { ref, applications: [...new Set([...known, ...applications])] })
  }
  return [...merged.values()]
}

const applicationOf = ({ metadata }: TaskRun): string => metadata.labels?.[labels.application] ?? ''

/** The integration test, or else the pipeline: Tekton labels a run of a pipeline without a name with its own name. */
function checkNameOf({ metadata }: TaskRun): string {
  const { [labels.scenario]: test, [labels.pipeline]: pipeline, [labels.pipelineRun]: run } = metadata.labels ?? {}
  if (test) return test
  return pipeline && pipeline !== run ? pipeline : (metadata.labels?.[labels.pipelineType] ?? '')
}

function policyParamOf(taskRun: TaskRun): string | undefined {
  const { params } = specOf(taskRun)
  if (!Array.isArray(params)) return undefined
  const value = params.find((param) => param?.name === 'POLICY_CONFIGURATION')?.value
  return typeof value === 'string' ? value : undefined
}
