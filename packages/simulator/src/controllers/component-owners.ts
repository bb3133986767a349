import { namespaceOf } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/builds/application'
import { componentType, type Component } from '@slipway/model/builds/component'
import { componentOwner, applicationChanges } from '../component-owner'
import { defineController } from '../controller'

/** Makes the application the owner of a component without owners, as the webhook of application-service does. */
export const componentOwners = defineController<Component>({
  name: 'component-owners',
  type: componentType,
  wakes: [applicationChanges],
  writes: [[componentType, 'update']],
  async reconcile(component, { client, informer }) {
    const { deletionTimestamp, ownerReferences = [] } = component.metadata
    if (deletionTimestamp || ownerReferences.length > 0) return
    const application = informer(applicationType).get(namespaceOf(component), component.spec.application ?? '')
    if (!application || application.metadata.deletionTimestamp) return
    const metadata = { ...component.metadata, ownerReferences: [componentOwner(application)] }
    await client.replace(componentType, { ...component, metadata })
  },
})
