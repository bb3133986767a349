import { nameOf, namespaceOf } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { applicationType, type Application } from '@slipway/model/builds/application'
import { componentsOf, componentType, type Component } from '@slipway/model/builds/component'
import { labels } from '@slipway/model/labels'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { applicationChanges } from '../component-owner'
import { defineController, ownerReference, type ControllerContext } from '../controller'
import { promotedComponent, snapshotName } from '../integration/snapshot-for'
import { ignoreTerminating } from './ignored-errors'

export const integrationFinalizer = 'test.appstudio.openshift.io/component'

/**
 * Creates a snapshot of the remaining components when one is deleted.
 * Source: integration-service, internal/controller/component/component_adapter.go.
 */
export const componentDeletions = defineController<Component>({
  name: 'component-deletions',
  type: componentType,
  wakes: [applicationChanges],
  reads: [snapshotType],
  writes: [
    [componentType, 'update'],
    [snapshotType, 'create'],
  ],
  async reconcile(component, context) {
    const { deletionTimestamp, finalizers = [] } = component.metadata
    const hasFinalizer = finalizers.includes(integrationFinalizer)
    const found = context.informer(applicationType).get(namespaceOf(component), component.spec.application ?? '')
    const application = found?.metadata.deletionTimestamp ? undefined : found
    if (deletionTimestamp ? !hasFinalizer : hasFinalizer || !application) return
    if (deletionTimestamp && application) {
      // No snapshot is needed if the namespace is being deleted.
      await createRemainingSnapshot(component, deletionTimestamp, application, context).catch(ignoreTerminating)
    }
    const metadata = {
      ...component.metadata,
      finalizers: deletionTimestamp
        ? finalizers.filter((each) => each !== integrationFinalizer)
        : [...finalizers, integrationFinalizer],
    }
    await context.client.replace(componentType, { ...component, metadata })
  },
})

async function createRemainingSnapshot(
  component: Component,
  deletedAt: string,
  application: Application,
  { client, informer }: ControllerContext,
): Promise<void> {
  const namespace = namespaceOf(component)
  const images = componentsOf(informer(componentType).list(namespace), nameOf(application)).flatMap(
    (each) => promotedComponent(each) ?? [],
  )
  const hasSnapshot = informer(snapshotType)
    .list(namespace)
    .some(
      ({ metadata, spec }) =>
        metadata.labels?.[labels.autoRelease] === 'false' &&
        spec.application === nameOf(application) &&
        Date.parse(metadata.creationTimestamp ?? '') >= Date.parse(deletedAt) &&
        !spec.components?.some(({ name }) => name === nameOf(component)),
    )
  if (images.length === 0 || hasSnapshot) return
  const isTaken = (name: string) => informer(snapshotType).get(namespace, name) !== undefined
  await client.create(snapshotType, {
    apiVersion: apiVersionOf(snapshotType),
    kind: snapshotType.kind,
    metadata: {
      name: snapshotName(nameOf(application), Date.parse(deletedAt), isTaken),
      namespace,
      labels: { [labels.application]: nameOf(application), [labels.autoRelease]: 'false' },
      ownerReferences: [ownerReference(applicationType, application)],
    },
    spec: { application: nameOf(application), components: images, artifacts: {} },
  })
}
