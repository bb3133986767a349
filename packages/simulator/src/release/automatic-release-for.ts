import { nameOf, namespaceOf } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { copiedPacKey, labels } from '@slipway/model/labels'
import { releaseType, type Release } from '@slipway/model/releases/release'
import type { ReleasePlan } from '@slipway/model/releases/release-plan'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { nameSuffix, type Random } from '../keyed-random'
import { traceOf } from '../trace-context'

const maxNameLength = 63

const copiedLabels = /^(pac\.test\.)?appstudio\.openshift\.io\//
const copiedAnnotations = /^(pac\.test\.appstudio\.openshift\.io|build\.appstudio\.(openshift\.io|redhat\.com))\//

const chosen = (facts: Record<string, string> = {}, pattern: RegExp) =>
  Object.fromEntries(Object.entries(facts).filter(([key]) => pattern.test(key)))

/** The release that a plan gets of a snapshot by itself: the same for both, one of the same name. */
export function automaticReleaseFor(plan: ReleasePlan, snapshot: Snapshot, random: (key: string) => Random): Release {
  const namespace = namespaceOf(snapshot) ?? ''
  const sha = snapshot.metadata.labels?.[copiedPacKey(labels.commitSha)]?.slice(0, 7)
  const end = `-${sha ? `${sha}-` : ''}${nameSuffix(random(`release ${namespace}/${nameOf(snapshot)} ${nameOf(plan)}`))}`
  return {
    apiVersion: apiVersionOf(releaseType),
    kind: releaseType.kind,
    metadata: {
      name: `${nameOf(snapshot).slice(0, maxNameLength - end.length)}${end}`,
      namespace,
      labels: {
        ...chosen(snapshot.metadata.labels, copiedLabels),
        [labels.application]: plan.spec.application,
        [labels.automated]: 'true',
      },
      annotations: { ...chosen(snapshot.metadata.annotations, copiedAnnotations), ...traceOf(snapshot) },
    },
    spec: { releasePlan: nameOf(plan), snapshot: nameOf(snapshot) },
  }
}
