import { nameOf, uidOf } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { applicationType, type Application } from '@slipway/model/supply-chain/application'

/** Owner reference from a component to its application. The application is not its controller. */
export const componentOwner = (application: Application) => ({
  apiVersion: apiVersionOf(applicationType),
  kind: applicationType.kind,
  name: nameOf(application),
  uid: uidOf(application),
})
