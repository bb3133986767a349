import { namespaceOf } from '@slipway/kube/object'
import { componentType } from '@slipway/model/builds/component'
import { annotations } from '@slipway/model/labels'
import { snapshotType, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { defineController } from '../controller'
import { isOverride } from '../integration/promotion'
import { hasDigest } from '../integration/snapshot-for'

/** Promotes the images of an override snapshot to its components, once. */
export const overrideSnapshots = defineController<Snapshot>({
  name: 'override-snapshots',
  type: snapshotType,
  filter: isOverride,
  reads: [componentType],
  writes: [
    [componentType, 'updateStatus'],
    [snapshotType, 'update'],
  ],
  async reconcile(snapshot, { client, informer, timestamp }) {
    const marks = snapshot.metadata.annotations
    if (snapshot.metadata.deletionTimestamp || marks?.[annotations.addedToGlobalCandidateList]) return
    const named = snapshot.spec.components ?? []
    // `snapshotTests` reports it as invalid.
    if (!named.every(({ containerImage }) => hasDigest(containerImage))) return
    for (const { name, containerImage, source } of named) {
      const component = informer(componentType).get(namespaceOf(snapshot), name)
      if (!component || component.spec.application !== snapshot.spec.application) continue
      const lastBuiltCommit = source?.git?.revision ?? component.status?.lastBuiltCommit
      const status = { ...component.status, lastBuiltCommit, lastPromotedImage: containerImage }
      await client.replaceStatus(componentType, { ...component, status })
    }
    const mark = JSON.stringify({
      result: true,
      reason: "The Snapshot's component(s) was/were added to the global candidate list",
      lastupdatedtime: timestamp(),
    })
    await client.replace(snapshotType, {
      ...snapshot,
      metadata: { ...snapshot.metadata, annotations: { ...marks, [annotations.addedToGlobalCandidateList]: mark } },
    })
  },
})
