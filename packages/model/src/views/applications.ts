import { nameOf } from '@slipway/kube/object'
import type { ViewKind } from '@slipway/views/view-kind'
import { type Application, applicationType } from '../builds/application'
import { applicationFields } from './application-fields'

/**
 * Applications by name. How many components they have is the facet `application` of `componentView`, and their last
 * deployment the first completed release of each application in `releaseView`.
 */
export const applicationView: ViewKind<Application> = {
  id: applicationType.plural,
  type: applicationType,
  mask: applicationFields,
  fields: { name: { is: 'text', of: nameOf } },
  order: 'name',
  text: nameOf,
  identifiers: (application) => [nameOf(application)],
}
