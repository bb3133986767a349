import { namespaceOf, nameOf, uidOf } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { applicationType, type Application } from '@slipway/model/builds/application'
import { componentsOf, componentType } from '@slipway/model/builds/component'
import { objectKeyOf, on } from './controller'

/** Owner reference from a component to its application. The application is not its controller. */
export const componentOwner = (application: Application) => ({
  apiVersion: apiVersionOf(applicationType),
  kind: applicationType.kind,
  name: nameOf(application),
  uid: uidOf(application),
})

/** For controllers of components: a change of an application affects all its components. */
export const applicationChanges = on(applicationType, (application, { informer }) =>
  componentsOf(informer(componentType).list(namespaceOf(application)), nameOf(application)).map(objectKeyOf),
)
