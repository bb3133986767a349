import { nameOf, uidOf } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { applicationType, type Application } from '@slipway/model/supply-chain/application'

/** The application as the owner of a component, which it does not control. */
export const componentOwner = (application: Application) => ({
  apiVersion: apiVersionOf(applicationType),
  kind: applicationType.kind,
  name: nameOf(application),
  uid: uidOf(application),
})
