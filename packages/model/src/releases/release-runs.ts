import { isRecord } from '@slipway/kube/object'
import { asArray, asText } from '@slipway/kube/parse'
import { type NamespacedName, parseNamespacedName } from '../namespaced-name'
import type { Release } from './release'

/** Types of the runs of a release, in the order in which they run. */
export const releaseRunTypes = ['Tenant Collector', 'Managed Collector', 'Tenant', 'Managed', 'Final'] as const
export type ReleaseRunType = (typeof releaseRunTypes)[number]

export type ReleaseRunStatus = 'Completed' | 'Running' | 'Pending'

/** A run of one of the pipelines of a release, as the release knows it. */
export interface ReleaseRun extends NamespacedName {
  type: ReleaseRunType
  startTime: string | undefined
  completionTime: string | undefined
  /** Number of the attempt, if the service has run this pipeline more than once. */
  attempt?: number
  /** Why the attempt failed, such as `OOMKill`. */
  failureReason?: string | undefined
}

/** The runs that a release has started, in order. A pipeline that has no run yet has no entry. */
export function releaseRuns({ status }: Release): ReleaseRun[] {
  const attempts = asArray(status?.managedPipelineAttempts).filter(isRecord)
  const all = [
    runOf('Tenant Collector', status?.collectorsProcessing?.tenantCollectorsProcessing),
    runOf('Managed Collector', status?.collectorsProcessing?.managedCollectorsProcessing),
    runOf('Tenant', status?.tenantProcessing),
    ...attempts.map((attempt, index) => {
      const run = runOf('Managed', attempt)
      return run && attempts.length > 1 ? { ...run, attempt: index + 1 } : run
    }),
    // The last attempt, in services that retry.
    runOf('Managed', status?.managedProcessing),
    runOf('Final', status?.finalProcessing),
  ].flatMap((run) => run ?? [])
  return all.filter((run, index) => all.findIndex((other) => isSame(run, other)) === index)
}

/** The newest run of a type. */
export const releaseRunOf = (release: Release, type: ReleaseRunType): ReleaseRun | undefined =>
  releaseRuns(release).findLast((run) => run.type === type)

const isSame = (a: ReleaseRun, b: ReleaseRun) => a.type === b.type && a.namespace === b.namespace && a.name === b.name

function runOf(type: ReleaseRunType, processing: unknown): ReleaseRun | undefined {
  if (!isRecord(processing)) return undefined
  const reference = parseNamespacedName(processing.pipelineRun)
  return (
    reference && {
      ...reference,
      type,
      startTime: asText(processing.startTime),
      completionTime: asText(processing.completionTime),
      failureReason: asText(processing.failureReason),
    }
  )
}

/** Specification 3, section 4. It says that a run has ended, not how. */
export function releaseRunStatus({ startTime, completionTime }: ReleaseRun): ReleaseRunStatus {
  if (completionTime) return 'Completed'
  return startTime ? 'Running' : 'Pending'
}
