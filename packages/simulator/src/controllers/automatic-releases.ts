import { namespaceOf } from '@slipway/kube/object'
import { ignoreExisting } from '@slipway/kube/status'
import { componentType } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import { releasePlanType } from '@slipway/model/releases/release-plan'
import { releaseType } from '@slipway/model/releases/release'
import { snapshotConditions, snapshotType, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { defineController, type ControllerContext } from '../controller'
import { isSuperseded, isPromotable } from '../integration/promotion'
import { testConditions, withConditions } from '../integration/test-conditions'
import { automaticReleaseFor } from '../release/automatic-release-for'
import { conditionOf } from '../set-condition'

/** Releases each snapshot of a push once its tests have passed, with every plan that has automatic releases enabled. */
export const automaticReleases = defineController<Snapshot>({
  name: 'automatic-releases',
  type: snapshotType,
  reads: [releasePlanType, componentType],
  writes: [
    [snapshotType, 'updateStatus'],
    [releaseType, 'create'],
  ],
  async reconcile(snapshot, context) {
    const isDone = conditionOf(snapshot, snapshotConditions.autoReleased)?.status === 'True'
    // Releases of component groups are not simulated.
    if (snapshot.metadata.deletionTimestamp || isDone || !isPromotable(snapshot) || !snapshot.spec.application) return
    const message = await release(snapshot, context)
    const next = withConditions(snapshot, testConditions.autoReleased(message), context.timestamp())
    await context.client.replaceStatus(snapshotType, next)
  },
})

/** @returns a message about the result */
async function release(snapshot: Snapshot, { client, informer, random }: ControllerContext): Promise<string> {
  const namespace = namespaceOf(snapshot)
  const plans = informer(releasePlanType)
    .list(namespace)
    .filter(({ metadata, spec }) => {
      const isAutomatic = metadata.labels?.[labels.autoRelease] === 'true'
      return isAutomatic && spec.application === snapshot.spec.application && !metadata.deletionTimestamp
    })
  if (plans.length === 0) {
    return "Skipping auto-release of the Snapshot because no ReleasePlans have the 'auto-release' label set to 'true'"
  }
  const component = informer(componentType).get(namespace, snapshot.metadata.labels?.[labels.component] ?? '')
  const lastBuiltTime = component?.metadata.annotations?.[annotations.lastBuiltTime]
  if (isSuperseded(snapshot, lastBuiltTime)) return 'Released in newer Snapshot'
  for (const plan of plans) {
    await client.create(releaseType, automaticReleaseFor(plan, snapshot, random)).catch(ignoreExisting)
  }
  return 'The Snapshot was auto-released'
}
