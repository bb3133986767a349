import { nameOf, namespaceOf } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/supply-chain/application'
import { componentsOf, componentType, type Component } from '@slipway/model/supply-chain/component'
import { componentOwner } from '../component-owner'
import { defineController, watching } from '../controller'

/** Makes the application the owner of a component without owners, as the webhook of application-service does. */
export const componentOwners = defineController<Component>({
  name: 'component-owners',
  type: componentType,
  sources: [
    watching(applicationType, (application, { informer }) =>
      componentsOf(informer(componentType).list(namespaceOf(application)), nameOf(application)).map((component) => ({
        namespace: namespaceOf(component),
        name: nameOf(component),
      })),
    ),
  ],
  async reconcile(component, { client, informer }) {
    const { deletionTimestamp, ownerReferences = [] } = component.metadata
    if (deletionTimestamp || ownerReferences.length > 0) return
    const application = informer(applicationType).get(namespaceOf(component), component.spec.application ?? '')
    if (!application || application.metadata.deletionTimestamp) return
    const metadata = { ...component.metadata, ownerReferences: [componentOwner(application)] }
    await client.replace(componentType, { ...component, metadata })
  },
})
